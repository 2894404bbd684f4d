// Before the engine is there: colours, words, progress, and a line about failures.
"use strict";

// Pyodide would run Python on separate stacks, so that calls can wait for promises, which nothing here
// does. Sometimes Chromium reads beyond the end of such a stack, and crashes the page.
if (typeof WebAssembly === "object") Reflect.deleteProperty(WebAssembly, "Suspending");

(() => {
  const page = document.documentElement;
  const remembered = (name) => {
    try {
      return localStorage.getItem(`tic-tac-toe.${name}`);
    } catch {
      return null;
    }
  };

  // A player's code in a link from another device is removed from the address.
  const takeCode = () => {
    const brought = /^#code=(.*)$/.exec(location.hash);
    if (!brought) return;
    window.broughtCode = brought[1].slice(0, 300);
    history.replaceState(null, "", "#online");
  };
  takeCode();
  addEventListener("popstate", takeCode);

  const theme = remembered("theme");
  if (theme === "light" || theme === "dark") page.dataset.theme = theme;

  page.dataset.mute = "1";
  const byId = (id) => document.getElementById(id);
  let words = { failed: "Only easy games work here: {reason}" };

  // A browser may lack WebAssembly, of which the engine is made, and a site may forbid it.
  const hasWebAssembly = () => {
    try {
      return Boolean(new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)));
    } catch {
      return false;
    }
  };
  const isBlocked = !hasWebAssembly();
  if (isBlocked) page.dataset.failed = "1";

  // Games that are played already go on: see first-board.js.
  const write = (text, role) => {
    if (!page.hasAttribute("data-early")) byId("status").textContent = text;
    byId("loading-said").textContent = text;
    byId("loading-said").setAttribute("role", role);
  };

  const fail = (reason) => {
    if (page.dataset.ready || !byId("status")) return;
    page.dataset.failed = "1";
    byId("status").removeAttribute("aria-live");
    // The last line of an error of the engine has its message.
    const line = String(reason).trim().split("\n").at(-1).slice(0, 300);
    write(words.failed.replace("{reason}", isBlocked ? words.blocked : line), "alert");
  };

  const speak = () => {
    const facts = JSON.parse(byId("facts").textContent).words ?? {};
    const wanted = [
      new URLSearchParams(location.search).get("lang"),
      remembered("language"),
      ...navigator.languages,
    ];
    const codes = wanted.map((name) => String(name ?? "").slice(0, 2).toLowerCase());
    page.lang = codes.find((code) => Object.hasOwn(facts, code)) ?? "en";
    words = { ...words, ...facts[page.lang] };
    for (const element of document.querySelectorAll("[data-word], [data-name]")) {
      const { word, name } = element.dataset;
      if (words.words?.[word]) element.textContent = words.words[word];
      if (words.names?.[name]) element.setAttribute("aria-label", words.names[name]);
    }
    if (words.title) byId("title").textContent = document.title = words.title;
    delete page.dataset.mute;
  };

  // Screen readers would read out every percentage.
  const tell = (text, share) => {
    if (page.dataset.ready || page.dataset.failed) return;
    write(text, "none");
    byId("progress").setAttribute("aria-label", text);
    byId("progress").value = share;
  };

  document.addEventListener("readystatechange", () => {
    speak();
    byId("status").setAttribute("aria-live", "off");
    tell(words.starting ?? "", 0);
    if (isBlocked) fail(words.blocked);
  }, { once: true });
  document.addEventListener("loading", ({ detail }) =>
    tell(words.loading.replace("{share}", Math.floor(detail)), detail),
  );
  document.addEventListener("starting", () => tell(words.starting, 100));
  document.addEventListener("ready", () => byId("status").removeAttribute("aria-live"));

  addEventListener(
    "error",
    (event) => fail(event.message ?? event.target?.src ?? event.target?.href ?? event.type),
    true,
  );
  addEventListener("unhandledrejection", (event) => fail(event.reason?.message ?? event.reason));
})();
