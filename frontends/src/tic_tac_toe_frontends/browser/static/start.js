// What has to happen before Python is there: colours, progress, and a line where it fails.
"use strict";

// Pyodide would run Python on stacks of its own, to let it wait for promises in the middle of a call,
// which nothing here does. Now and then Chromium looks where such a stack comes from, reads beyond its
// end, and drops the page.
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
  const theme = remembered("theme");
  if (theme === "light" || theme === "dark") page.dataset.theme = theme;

  const wanted = () => [
    new URLSearchParams(location.search).get("lang"),
    remembered("language"),
    ...navigator.languages,
  ];
  let words = { loading: "Loading Python …", failed: "The game cannot start here: {reason}" };
  let weights = {};
  let loaded = 0;

  const show = (id, text) => {
    const element = document.getElementById(id);
    if (element) element.textContent = text;
  };
  const fail = (reason) => {
    if (page.dataset.ready) return;
    page.dataset.failed = "1";
    show("status", words.failed.replace("{reason}", String(reason).slice(0, 300)));
  };

  const count = (entries) => {
    for (const { name } of entries) {
      const path = Object.keys(weights).find((each) => name.endsWith(`/${each}`));
      if (path) {
        loaded += weights[path];
        delete weights[path];
      }
    }
    const bar = document.getElementById("progress");
    if (bar && !page.dataset.ready) bar.value = Math.max(bar.value, Math.min(90, loaded));
  };

  // Python asks for this last of all: by then it is there.
  fetch("app.zip").catch(() => {});

  addEventListener("DOMContentLoaded", () => {
    const facts = JSON.parse(document.getElementById("facts").textContent);
    weights = facts.weights ?? {};
    const codes = wanted().map((name) => String(name ?? "").slice(0, 2).toLowerCase());
    const code = codes.find((each) => each === "en" || facts.words?.[each]);
    words = { ...words, ...facts.words?.[code] };
    if (!page.dataset.failed) show("status", words.loading);
    document.getElementById("progress").setAttribute("aria-label", words.loading);
    new PerformanceObserver((list) => count(list.getEntries())).observe({
      type: "resource",
      buffered: true,
    });
    if (typeof WebAssembly !== "object") fail("WebAssembly");
  });
  addEventListener(
    "error",
    (event) => fail(event.message ?? event.target?.src ?? event.target?.href ?? event.type),
    true,
  );
  addEventListener("unhandledrejection", (event) => fail(event.reason?.message ?? event.reason));
})();
