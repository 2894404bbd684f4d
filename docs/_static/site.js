// The search, and what wide boxes need to be scrolled by keys. Everything else works without.
const root = document.documentElement;
const path = root.dataset.content_root;

addEventListener("keydown", (event) => {
  const isText = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || isText || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const fields = [...document.querySelectorAll("article [type=search], .sidebar-search")];
  const seen = fields.find((field) => field.checkVisibility() && field.getBoundingClientRect().left >= 0);
  if (seen) seen.focus();
  else location.href = `${path}search.html`;
});

const header = document.querySelector(".mobile-header .header-right");
if (header) {
  const link = document.createElement("a");
  link.href = `${path}search.html`;
  link.className = "header-search";
  link.setAttribute("aria-label", "Search");
  header.prepend(link);
}

// A box that is wider than the screen is a stop of the Tab key.
const boxes = document.querySelectorAll(".table-wrapper, .highlight pre, .run-picture");
const watch = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const box of boxes) watch.observe(box);

const form = document.querySelector(".search-form");
if (form) {
  const field = form.elements.q;
  const status = document.getElementById("search-status");
  const results = document.getElementById("search-results");
  const base = new URL(path, location.href);
  const MOST_READ = 30;
  const MOST = 12;
  const MOST_PLACES = 3;
  const MOST_WORDS = 8;
  const SMALL = new Set(("a an and are as at be by can do does for from how i in is it me my of on or " +
    "that the this to what when where which who why with you your").split(" "));
  let latest = "";

  const loaded = (async () => {
    const pagefind = await import(new URL("pagefind/pagefind.js", base));
    await pagefind.options({ baseUrl: base.pathname, excerptLength: 24,
      ranking: { pageLength: 0.1, termFrequency: 0.4 } });
    await pagefind.init();
    const names = await (await fetch(new URL("_static/names.json", base))).json();
    return { pagefind, names };
  })();

  const link = (text, url) => {
    const made = document.createElement("a");
    made.textContent = text;
    made.href = url;
    return made;
  };
  const entry = (text, url, excerpt, places = []) => {
    const item = document.createElement("li");
    item.append(link(text, url));
    const words = document.createElement("p");
    words.innerHTML = excerpt; // Pagefind has escaped all but its <mark>
    item.append(words);
    if (places.length) {
      const list = document.createElement("ul");
      list.append(...places.map((place) => {
        const line = document.createElement("li");
        line.append(link(place.title, place.url));
        return line;
      }));
      item.append(list);
    }
    return item;
  };

  const wordsOf = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
  const singular = (word) => word.replace(/ies$/, "y").replace(/s$/, "");
  const isLike = (one, other) => {
    const [short, long] = [one, other].map(singular).sort((a, b) => a.length - b.length);
    return short === long || (short.length > 3 && long.startsWith(short));
  };

  // Pagefind finds the pages that have all words. Here a page is worth the words it has, rare ones
  // most, and those in its headings again. A page with less than half of the best is left out; what
  // is looked up comes behind what is read.
  const rank = async (pagefind, words) => {
    const found = new Map();
    const worths = new Map();
    const add = (results, worth) => results.forEach((result) => {
      if (!found.has(result.id)) found.set(result.id, { result, worth: 0 });
      found.get(result.id).worth += worth;
    });
    add((await pagefind.search(words.join(" "))).results, 0);
    for (const word of words) {
      const { results } = await pagefind.search(word);
      worths.set(word, Math.log(1 + 100 / (results.length + 1)));
      add(results, worths.get(word));
    }
    const ranked = [...found.values()].sort((one, other) => other.worth - one.worth);
    const best = ranked.filter(({ worth }) => worth * 2 >= ranked[0].worth);
    const read = await Promise.all(best.slice(0, MOST_READ).map(async ({ result, worth }) => {
      const page = await result.data();
      const title = wordsOf(page.meta.title);
      const headings = wordsOf(page.sub_results.map((place) => place.title).join(" "));
      for (const [word, more] of worths) {
        for (const place of [title, headings]) {
          if (place.some((each) => isLike(each, word))) worth += more;
        }
      }
      const isLookedUp = /^(reference|changelog)/.test(page.url.slice(base.pathname.length));
      return { page, worth: isLookedUp ? 0.75 * worth : worth };
    }));
    read.sort((one, other) => other.worth - one.worth);
    return { count: best.length, pages: read.slice(0, MOST).map(({ page }) => page) };
  };

  const search = async (text) => {
    latest = text;
    if (!text) {
      results.replaceChildren();
      status.textContent = "";
      return;
    }
    status.textContent = "Searching \u2026";
    const { pagefind, names } = await loaded;
    const all = wordsOf(text).slice(0, MOST_WORDS);
    const words = all.filter((word) => !SMALL.has(word));
    const wanted = (words.length ? words : all).map(singular).join(" ");
    const { count: found, pages } = await rank(pagefind, words.length ? words : all);
    if (latest !== text) return;
    const exact = names.filter(([name]) => wordsOf(name).map(singular).join(" ") === wanted);
    results.replaceChildren(
      ...exact.map(([name, what, place]) => entry(`${name} ${what}`, new URL(place, base), "")),
      ...pages.map((page) => entry(page.meta.title, page.url, page.excerpt,
        page.sub_results.filter((place) => place.url !== page.url).slice(0, MOST_PLACES))),
    );
    const count = found + exact.length;
    status.textContent = count === 1 ? "1 page" : `${count || "No"} pages`;
  };

  let waiting = 0;
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const text = field.value.trim();
      history.replaceState(null, "", text ? `?q=${encodeURIComponent(text)}` : location.pathname);
      search(text);
    }, 150);
  };
  field.addEventListener("input", later);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    later();
  });
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  field.focus();
  search(field.value.trim()).catch(() => {
    status.textContent = "The search could not be loaded: it needs the site on a web server.";
  });
}
