// The board before the engine is there: games against the weak levels are played at once, and the
// engine goes on with what the address then says. Of other games, one move is kept.
import { chooseCell, legalCells, play, SIDES } from "./early.js";

const STORE = "tic-tac-toe.boards";
// The maximum number of stored characters of a board: a board of 15 x 15 has 80,000.
const LONGEST = 250_000;
const page = document.documentElement;
const byId = (id) => document.getElementById(id);
const [frame, picture, cells, title, note] = ["board", "picture", "cells", "title", "note"].map(byId);
const facts = JSON.parse(byId("facts").textContent);
const words = facts.words[page.lang];
const buttons = () => [...cells.querySelectorAll("[data-cell]")];
const fresh = { picture: picture.innerHTML, cells: cells.innerHTML };

const stored = (name, storage = () => localStorage) => {
  try {
    return storage().getItem(`tic-tac-toe.${name}`);
  } catch {
    return null;
  }
};

// -- boards of other games, drawn at the last visit ----------------------------------------------

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
  if (!page.dataset.ready || byId("device").hidden) return;
  const board = {
    picture: picture.innerHTML,
    cells: cells.innerHTML,
    style: frame.getAttribute("style"),
    look: frame.dataset.look,
    mover: cells.dataset.mover,
    title: title.textContent,
  };
  if (board.picture.length + board.cells.length > LONGEST) return;
  const empty = kept()[""];
  const boards = { ...(empty && { "": empty }), [location.hash]: board };
  try {
    const text = JSON.stringify({ version: facts.version, language: page.lang, boards });
    localStorage.setItem(STORE, text);
  } catch {
    // A browser without storage shows a new game's board.
  }
};

const isOnline = () => stored("mode", () => sessionStorage) === "online";

const showKept = () => {
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
    cells.replaceChildren(); // only the engine knows this game
  } else {
    picture.innerHTML = fresh.picture;
    cells.innerHTML = fresh.cells;
    const { names } = facts.games["tic-tac-toe"];
    buttons().forEach((button, cell) => button.setAttribute("aria-label", labelOf(names[cell], "")));
  }
};

// Only the last chosen move is kept: the computer answers before the next one.
let chosen = null;
let made = null;
const choose = (name, make, button) => {
  if (chosen) {
    chosen.replaceChildren();
    delete chosen.dataset.pending;
    chosen.setAttribute("aria-label", chosen.dataset.label);
  }
  const told = words.pending.replace("{cell}", name);
  chosen = button;
  if (button) {
    const mark = cells.dataset.mover;
    button.dataset.label = name;
    button.dataset.pending = mark;
    button.setAttribute("aria-label", told);
    const drawn = facts.pieces[frame.dataset.look]?.[mark];
    if (drawn) button.innerHTML = `<svg class="ttt" viewBox="0 0 40 40" aria-hidden="true">${drawn}</svg>`;
  }
  made = make;
  note.textContent = told;
};

const keepClick = (button) => {
  if (button.getAttribute("aria-disabled") !== "false" || button === chosen) return;
  const { cell } = button.dataset;
  choose(button.getAttribute("aria-label"), () => cells.querySelector(`[data-cell="${cell}"]`).click(),
    button);
};
const keepKey = (key, target) =>
  choose(key, () => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })), null);

// -- games that are played at once ---------------------------------------------------------------

const labelOf = (name, mark) =>
  words.label.replace("{name}", name).replace("{content}", mark || words.empty);

// The game of the address and the players of the last visit; null if only the engine knows it.
const readGame = () => {
  const parts = {};
  for (const part of location.hash.slice(1).split("&").filter(Boolean)) {
    const [key, value] = part.split("=");
    if (!["game", "x", "o", "first", "think", "moves"].includes(key) || !value || key in parts) return null;
    parts[key] = value;
  }
  const id = parts.game ?? "tic-tac-toe";
  const game = Object.hasOwn(facts.games, id) && facts.games[id];
  const [x, o] = (stored("players") ?? facts.players).split(" ");
  const players = { X: parts.x ?? x, O: parts.o ?? o };
  const isKnown = (name) => name === "human" || Object.hasOwn(game.levels, name);
  const isPlain = !["names", "numbers", "from_bottom", `look.${game.look}`].some((each) => stored(each));
  const first = parts.first ?? "X";
  if (!game || !SIDES.every((mark) => isKnown(players[mark])) || !SIDES.includes(first)) return null;
  if (!Object.values(players).includes("human") || !isPlain || (!location.hash && isOnline())) return null;
  const match = play(game, first, parts.moves?.split(".") ?? []);
  const base = Object.entries(parts).filter(([key]) => key !== "moves").map((part) => part.join("="));
  return match && { ...game, words: words.games[id], players, base, match };
};

const linkOf = ({ base, moves, match }) =>
  [...base, ...(match.moves.length ? [`moves=${match.moves.map((cell) => moves[cell]).join(".")}`] : [])]
    .join("&");

// The picture is that of an empty board with more elements, each at its place.
const draw = (game) => {
  const { columns, pieceAt, match } = game;
  const { cells: marks, row, turn, moves } = match;
  const last = moves.at(-1);
  const at = (cell, from) => [cell % columns - from % columns, Math.floor(cell / columns) - Math.floor(from / columns)]
    .map((steps) => 40 * steps).join(" ");
  const moved = ({ place, cell, markup }, to) => [place, `<g transform="translate(${at(to, cell)})">${markup}</g>`];
  const piece = (cell) => {
    const kind = [cell === last && "ttt-latest", row.length && (row.includes(cell) ? "ttt-won" : "ttt-lost")];
    const drawn = `<g class="${kind.filter(Boolean).join(" ")}">${facts.pieces[game.look][marks[cell]]}</g>`;
    return moved({ place: pieceAt, cell: 0, markup: drawn }, cell);
  };
  const strike = game.strikes[`${row[1] - row[0]} ${marks[row[0]]}`] ?? [];
  const starts = row.slice(0, row.length - game.lines[0].length + 1);
  const parts = [
    ...(game.lit ? row.map((cell) => moved(game.lit, cell)) : []),
    ...(moves.length && (game.marksLastAtEnd || !row.length) ? game.last.map((part) => moved(part, last)) : []),
    ...SIDES.flatMap((mark) => [...marks.keys()].filter((cell) => marks[cell] === mark).map(piece)),
    ...strike.flatMap((part) => starts.map((cell) => moved(part, cell))),
  ];
  const view = game.views[Number(matchMedia(facts.smallScreen).matches)] ?? game.views[0];
  const drawn = game.picture.flatMap((line, place) =>
    [...parts.filter((part) => part[0] === place).map((part) => part[1]), line]);
  picture.innerHTML = [view.head, ...drawn].join("\n");
  frame.dataset.look = game.look;
  frame.style.setProperty("--ratio", view.ratio);
  if (cells.dataset.drawn !== view.head) {
    cells.innerHTML = view.cells;
    cells.dataset.drawn = view.head;
  }
  cells.dataset.mover = turn;
};

const tell = (game) => {
  const { match, players, words: own } = game;
  const { turn, moves, row } = match;
  const person = players.X === players.O ? "" : SIDES.find((mark) => players[mark] === "human");
  const winner = match.cells[row[0]] ?? "";
  const result = winner ? (winner === person ? "win" : "loss") : "draw";
  const status = byId("status");
  delete status.dataset.result;
  if (turn && players[turn] !== "human") status.textContent = words.thinking;
  else if (turn && !person) status.textContent = own.toMove[turn];
  else if (turn) status.textContent = (moves.length < 2 ? own.firstTurn : own.turn)[turn];
  else {
    status.textContent = person ? words.ends[result] : (own.won[winner] ?? words.drawn);
    status.dataset.result = person ? result : "over";
  }
  const cell = moves.at(-1);
  const isFocused = document.activeElement.dataset.cell === String(cell);
  const isTold = moves.length && !(isFocused && players[match.cells[cell]] === "human");
  byId("announced").textContent =
    isTold ? own.told[match.cells[cell]].replace("{cell}", game.moves[cell]) : "";
  const isOpen = players[turn] === "human";
  const legal = legalCells(game, match.cells);
  buttons().forEach((button, at) => {
    const isPlayable = isOpen && (game.falls ? legal.some((low) => low % game.columns === at % game.columns) : legal.includes(at));
    button.setAttribute("aria-label", labelOf(game.names[at], match.cells[at]));
    button.setAttribute("aria-disabled", String(!isPlayable));
  });
  const again = byId("new-game");
  again.hidden = Boolean(turn);
  again.classList.add("primary");
  again.textContent = result === "win" || !person ? words.again : words.tryAgain;
  byId("play").toggleAttribute("data-idle", !moves.length);
};

// The finished games, for the engine: it counts and stores them.
window.playedEarly = [];
let game = null;
let timer = 0;

const show = () => {
  draw(game);
  tell(game);
  const { turn } = game.match;
  if (turn && game.players[turn] !== "human") {
    timer = setTimeout(() => make(chooseCell(game, game.match.cells, turn, game.players[turn])),
      1000 * facts.pause);
  }
};

const make = (cell) => {
  const { match, columns, falls } = game;
  const names = [...match.moves, cell].map((each) => game.moves[each]);
  game.match = play(game, match.first, names);
  history.replaceState(history.state, "", `#${linkOf(game)}`);
  const height = Math.floor(cell / columns) + 1;
  picture.dataset.fresh = falls ? "falls" : "appears";
  picture.style.setProperty("--fall", `${-40 * height}px`);
  picture.style.setProperty("--fall-time", `${(facts.fall * Math.sqrt(height)).toFixed(3)}s`);
  if (!game.match.turn) window.playedEarly.push(linkOf(game));
  show();
};

// A person's move: where marks fall, any cell of an open column does.
const drop = (button) => {
  if (!button || button.getAttribute("aria-disabled") !== "false") return;
  const cell = Number(button.dataset.cell);
  const { falls, columns, match } = game;
  make(falls ? legalCells(game, match.cells).find((low) => low % columns === cell % columns) : cell);
};

const start = () => {
  clearTimeout(timer);
  delete picture.dataset.fresh;
  game = readGame();
  page.toggleAttribute("data-early", Boolean(game));
  if (!game) return void showKept();
  byId("status").removeAttribute("aria-live");
  title.textContent = game.words.title;
  const level = Object.values(game.players).find((name) => name !== "human") ?? "human";
  byId("against").options[0].textContent = words.players[level];
  show();
};

const again = () => {
  const { base } = game;
  history.pushState(null, "", base.length ? `#${base.join("&")}` : location.pathname + location.search);
  start();
};

// -- what people do ------------------------------------------------------------------------------

const click = (event) => {
  const button = event.target.closest("[data-cell]");
  if (button) (game ? drop : keepClick)(button);
};

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const step = (key, button) => {
  const rows = [...cells.querySelectorAll("[role=row]")].map((row) => [...row.children]);
  const row = rows.findIndex((each) => each.includes(button));
  const column = rows[row].indexOf(button);
  const [down, right] = ARROWS[key] ?? [0, key === "Home" ? -column : rows[row].length - 1 - column];
  rows[row + down]?.[column + right]?.focus();
};
const follow = ({ target }) => {
  for (const button of buttons()) button.tabIndex = button === target ? 0 : -1;
};

const press = (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select")) return;
  if ((key in ARROWS || key === "Home" || key === "End") && target.matches("[data-cell]")) {
    event.preventDefault();
    step(key, target);
  } else if (/^[1-9]$/.test(key) && buttons().length) {
    if (game) drop(buttons()[game.keys[key]]);
    else keepKey(key, target);
  }
};

start();
const count = buttons().length;
const ends = new AbortController();
const { signal } = ends;
cells.addEventListener("click", click, { signal });
cells.addEventListener("focusin", follow, { signal });
document.addEventListener("keydown", press, { signal });
byId("new-game").addEventListener("click", again, { signal });
addEventListener("popstate", start, { signal });
matchMedia(facts.smallScreen).addEventListener("change", () => game && (draw(game), tell(game)), { signal });
document.addEventListener("ready", () => {
  ends.abort();
  clearTimeout(timer);
  page.removeAttribute("data-early");
  keep();
  if (made && buttons().length === count) made();
}, { once: true });
addEventListener("pagehide", keep);
document.addEventListener("visibilitychange", () => document.hidden && keep());
