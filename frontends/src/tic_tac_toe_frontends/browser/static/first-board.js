// The board before Python has loaded: a new game or the last one, and a move made on it.
// Python drew it at the build or at the last visit: there are no rules here.
"use strict";

(() => {
  const STORE = "tic-tac-toe.boards";
  // The maximum number of stored characters of a board: a board of 15 x 15 has 80,000.
  const LONGEST = 250_000;
  const page = document.documentElement;
  const [frame, picture, cells, title, note] = ["board", "picture", "cells", "title", "note"].map(
    (id) => document.getElementById(id),
  );
  const facts = JSON.parse(document.getElementById("facts").textContent);
  const words = facts.words[page.lang];
  const buttons = () => [...cells.querySelectorAll("[data-cell]")];

  // Boards by the fragment of the address: of a new game, and of the last one.
  const kept = () => {
    try {
      const found = JSON.parse(localStorage.getItem(STORE));
      return found.version === facts.version && found.language === page.lang ? found.boards : {};
    } catch {
      return {};
    }
  };

  const keep = () => {
    if (!page.dataset.ready || document.getElementById("device").hidden) return;
    const board = {
      picture: picture.innerHTML,
      cells: cells.innerHTML,
      style: frame.getAttribute("style"),
      look: frame.dataset.look,
      mover: cells.dataset.mover,
      title: title.textContent,
    };
    if (board.picture.length + board.cells.length > LONGEST) return;
    const fresh = kept()[""];
    const boards = { ...(fresh && { "": fresh }), [location.hash]: board };
    try {
      const text = JSON.stringify({ version: facts.version, language: page.lang, boards });
      localStorage.setItem(STORE, text);
    } catch {
      // A browser without storage shows a new game's board.
    }
  };

  const isOnline = () => {
    try {
      return sessionStorage.getItem("tic-tac-toe.mode") === "online";
    } catch {
      return false;
    }
  };

  const show = () => {
    const board = kept()[location.hash];
    if (board) {
      picture.innerHTML = board.picture;
      cells.innerHTML = board.cells;
      frame.setAttribute("style", board.style);
      frame.dataset.look = board.look;
      cells.dataset.mover = board.mover;
      title.textContent = board.title;
    } else if (location.hash || isOnline()) {
      picture.replaceChildren();
      cells.replaceChildren(); // only Python knows this game
    } else {
      buttons().forEach((button, cell) => button.setAttribute("aria-label", words.cells[cell]));
    }
  };

  // Only the last chosen move is stored: the computer answers before the next one.
  let chosen = null;
  let made = null;
  const choose = (name, make, button) => {
    if (chosen) {
      delete chosen.dataset.pending;
      chosen.setAttribute("aria-label", chosen.dataset.label);
    }
    const told = words.pending.replace("{cell}", name);
    chosen = button;
    if (button) {
      button.dataset.label = name;
      button.dataset.pending = cells.dataset.mover;
      button.setAttribute("aria-label", told);
    }
    made = make;
    note.textContent = told;
  };

  const click = (event) => {
    const button = event.target.closest("[data-cell]");
    if (button?.getAttribute("aria-disabled") !== "false" || button === chosen) return;
    const { cell } = button.dataset;
    const make = () => cells.querySelector(`[data-cell="${cell}"]`).click();
    choose(button.getAttribute("aria-label"), make, button);
  };
  const press = (event) => {
    const { key, target } = event;
    const isChord = event.ctrlKey || event.metaKey || event.altKey;
    if (isChord || !/^[1-9]$/.test(key) || target.matches("input, select")) return;
    if (!buttons().length) return;
    const make = () => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    choose(key, make, null);
  };

  show();
  const count = buttons().length;
  cells.addEventListener("click", click);
  document.addEventListener("keydown", press);
  document.addEventListener("ready", () => {
    cells.removeEventListener("click", click);
    document.removeEventListener("keydown", press);
    keep();
    if (made && buttons().length === count) made();
  }, { once: true });
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.hidden && keep());
})();
