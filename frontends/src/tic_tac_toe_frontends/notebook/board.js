// Shows the data from Python, and sends people's requests. There are no rules here.

const MOVES = {
  ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
};

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Returns red, green, blue and opacity, from 0 to 255, of a colour in any notation. */
function parsed(colour) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return context.getImageData(0, 0, 1, 1).data;
}

/** Returns "dark" or "light" for the background of an element, in any notebook. */
function themeOf(start) {
  for (let node = start; node; node = node.parentElement ?? node.getRootNode().host) {
    const [red, green, blue, opacity] = parsed(getComputedStyle(node).backgroundColor);
    if (opacity > 127) {
      return 0.299 * red + 0.587 * green + 0.114 * blue < 128 ? "dark" : "light";
    }
  }
  const { vscodeThemeKind } = document.body.dataset;
  if (vscodeThemeKind) return vscodeThemeKind.includes("light") ? "light" : "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Lets the last disc fall from above the board, if it is new. */
function dropDisc(picture, isNew) {
  const disc = picture.querySelector(".ttt-discs .ttt-latest");
  picture.toggleAttribute("data-fresh", Boolean(isNew && disc));
  if (!isNew || !disc) return;
  const { y, height } = disc.getBBox();
  picture.style.setProperty("--ttt-fall", `${-(y + height)}px`);
}

/** Makes the buttons over the cells: a grid with arrow keys, and one cell that takes Tab. */
function makeGrid(grid, layout, place, aim) {
  const { columns, rows, cell: [width, height] } = layout;
  const cells = [];
  grid.replaceChildren(...rows.map((top) => {
    const row = element("div", { role: "row", class: "ttt-row" });
    for (const left of columns) {
      const index = cells.length;
      const button = element("button", { type: "button", role: "gridcell", tabindex: "-1" });
      button.style.cssText = `left:${left}%;top:${top}%;width:${width}%;height:${height}%`;
      button.addEventListener("click", () => { focusCell(cells, index); place(index); });
      for (const event of ["pointerenter", "focus"]) {
        button.addEventListener(event, () => aim(index));
      }
      for (const event of ["pointerleave", "blur"]) {
        button.addEventListener(event, () => aim(null));
      }
      cells.push(button);
      row.append(button);
    }
    return row;
  }));
  cells[0].tabIndex = 0;
  return cells;
}

function focusCell(cells, index) {
  for (const cell of cells) cell.tabIndex = -1;
  cells[index].tabIndex = 0;
  cells[index].focus({ preventScroll: true });
}

function walk(event, cells, columnCount, letters) {
  const at = cells.indexOf(event.target), step = MOVES[event.key];
  if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const rowCount = cells.length / columnCount;
  let row = Math.floor(at / columnCount), column = at % columnCount;
  const letter = event.key.toUpperCase();
  if (step) {
    row = Math.min(Math.max(row + step[0], 0), rowCount - 1);
    column = Math.min(Math.max(column + step[1], 0), columnCount - 1);
  } else if (event.key === "Home") {
    column = 0;
  } else if (event.key === "End") {
    column = columnCount - 1;
  } else if (event.key !== "Enter" && event.key !== " " && !letters.has(letter)) {
    return;
  }
  // Notebooks have their own keys: keep ours from them.
  event.stopPropagation();
  if (letters.has(letter)) {
    letters.get(letter).click();
    return;
  }
  if (event.key === "Enter" || event.key === " ") return;
  event.preventDefault();
  focusCell(cells, row * columnCount + column);
}

function makeMenus(menus) {
  const selects = {};
  const box = element("div", { class: "ttt-menus" });
  for (const name of ["variant", "x", "o", "starting"]) {
    const select = element("select", {
      "data-menu": name, "aria-label": menus.titles[name],
    });
    for (const [value, title] of menus[name]) select.append(element("option", { value }, title));
    selects[name] = select;
    box.append(element("label", {}, menus.titles[name], select));
  }
  return { box, selects };
}

/** Makes a button for each name and title, and returns the buttons by name. */
function makeButtons(box, entries, attributes, press) {
  const buttons = new Map(entries.map(([name, title]) => {
    const button = element("button", { type: "button", ...attributes, "data-name": name }, title);
    button.addEventListener("click", () => press(name));
    return [name, button];
  }));
  box.replaceChildren(...buttons.values());
  return buttons;
}

/** Makes a group of radio buttons with arrow keys, of which one takes Tab. */
function steer(event, letters) {
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  const all = [...letters.values()], at = all.indexOf(event.target);
  if (!step || at < 0) return;
  event.preventDefault();
  event.stopPropagation();
  const next = all[(at + step + all.length) % all.length];
  next.focus();
  next.click();
}

/** Selects the present game in the menus; a game that they do not list gets an entry. */
function showSetup(selects, setup) {
  selects.variant.querySelector("option[value='']")?.remove();
  if (setup.other) selects.variant.prepend(element("option", { value: "" }, setup.other));
  for (const [name, select] of Object.entries(selects)) select.value = setup[name];
}

function render({ model, el }) {
  const menus = model.get("menus"), titles = menus.titles;
  const status = element("p", { class: "ttt-status", "aria-hidden": "true" });
  const live = element("div", { class: "ttt-aside", role: "status", "aria-live": "polite" });
  const picture = element("div", { "aria-hidden": "true" });
  const grid = element("div", { role: "grid", "aria-label": titles.board });
  const board = element("div", { class: "ttt-board" }, picture, grid);
  const letterBox = element("div", {
    class: "ttt-letters", role: "radiogroup", "aria-label": titles.letters,
  });
  const specialBox = element("div", { class: "ttt-specials" });
  const bar = element("div", { class: "ttt-bar" });
  const remarks = element("div", { class: "ttt-remarks" });
  const score = element("p", { class: "ttt-score" });
  const { box, selects } = makeMenus(menus);
  const root = element(
    "div", { class: "ttt-game", "data-lm-suppress-shortcuts": "true" },
    status, letterBox, specialBox, board, remarks, bar, score, box, live,
  );
  const hidden = element("style");  // hides the picture for notebooks without this script
  root.append(hidden);
  const buttons = {};
  const commands = [
    "undo", "redo", "go-on", "hint", "explain", "solution", "next-level", "coach",
  ];
  for (const name of [...commands, "analyse", "new"]) {
    buttons[name] = element("button", { type: "button", "data-button": name }, titles[name]);
    (name === "new" ? box : bar).append(buttons[name]);
  }
  let cells = [], layout = "", setup = "", offered = "", columnCount = 1;
  let letters = new Map(), aimed = null, ply = NaN;

  const place = (cell) => model.send({ place: cell, ply: model.get("page").ply });
  for (const name of commands) {
    buttons[name].addEventListener("click", () => model.send({ press: name }));
  }
  buttons.analyse.addEventListener("click", () => {
    model.send({ analyse: !model.get("page").analyse });
  });
  buttons.new.addEventListener("click", () => {
    const chosen = Object.entries(selects).map(([name, select]) => [name, select.value]);
    model.send({ new: Object.fromEntries(chosen) });
  });
  grid.addEventListener("keydown", (event) => walk(event, cells, columnCount, letters));
  letterBox.addEventListener("keydown", (event) => steer(event, letters));

  /** Shows where the mark of the chosen letter would land; an index of `null` shows nothing. */
  function aim(index) {
    aimed = index;
    const { switch: chosen, legal, valued } = model.get("page");
    for (const cell of cells) delete cell.dataset.ghost;
    // No room between the values of both letters.
    if (chosen && !valued && index !== null && legal.includes(index)) {
      cells[chosen.lands[index]].dataset.ghost = chosen.chosen;
    }
  }

  function showChoices(page) {
    const choices = [page.switch?.letters ?? [], page.specials];
    if (JSON.stringify(choices) !== offered) {
      offered = JSON.stringify(choices);
      letters = makeButtons(
        letterBox, choices[0], { role: "radio", "data-button": "letter" },
        (letter) => model.send({ letter }),
      );
      makeButtons(
        specialBox, choices[1], { "data-button": "special" },
        (special) => model.send({ special, ply: model.get("page").ply }),
      );
    }
    letterBox.hidden = !choices[0].length;
    specialBox.hidden = !choices[1].length;
    for (const [letter, button] of letters) {
      button.setAttribute("aria-checked", String(letter === page.switch.chosen));
      button.tabIndex = letter === page.switch.chosen ? 0 : -1;
    }
  }

  function show() {
    const page = model.get("page");
    if (!page?.picture) return;
    const drawn = new DOMParser().parseFromString(page.picture, "image/svg+xml").documentElement;
    drawn.removeAttribute("role");
    drawn.querySelector("title")?.remove();
    picture.replaceChildren(document.importNode(drawn, true));
    dropDisc(picture, page.ply === ply + 1);
    ply = page.ply;
    hidden.textContent = `.${page.saved} { display: none !important }`;
    if (JSON.stringify(page.layout) !== layout) {
      layout = JSON.stringify(page.layout);
      columnCount = page.layout.columns.length;
      cells = makeGrid(grid, page.layout, place, aim);
      board.style.width = `${page.layout.width}px`;
      board.style.aspectRatio = String(page.layout.ratio);
      root.style.width = `${Math.max(page.layout.width, 340) + 8}px`;
    }
    const legal = new Set(page.legal);
    cells.forEach((cell, index) => {
      cell.setAttribute("aria-label", page.labels[index]);
      cell.setAttribute("aria-disabled", String(!legal.has(index)));
      cell.toggleAttribute("data-legal", legal.has(index));
    });
    showChoices(page);
    aim(aimed);
    for (const [name, can] of Object.entries(page.can)) {
      buttons[name].disabled = !can;
      buttons[name].hidden = page.hidden.includes(name);
      buttons[name].textContent = page.titles[name];
    }
    for (const name of ["analyse", "coach"]) {
      buttons[name].setAttribute("aria-pressed", String(page[name]));
    }
    status.textContent = page.status;
    const chosen = letters.get(page.switch?.chosen)?.textContent;
    const said = [page.news, page.status, chosen && `${chosen}.`, ...page.remarks]
      .filter(Boolean).join(" ");
    if (live.textContent !== said) live.textContent = said;
    remarks.replaceChildren(...page.remarks.map((line) => element("p", {}, line)));
    score.textContent = page.score;
    if (JSON.stringify(page.setup) !== setup) {
      setup = JSON.stringify(page.setup);
      showSetup(selects, page.setup);
      for (const [name, title] of Object.entries(page.sides.players)) {
        selects[name].setAttribute("aria-label", title);
        selects[name].previousSibling.textContent = title;
      }
      for (const option of selects.starting.options) {
        option.textContent = page.sides.starting[option.value];
      }
    }
    root.setAttribute("aria-busy", String(page.busy));
    if (model.get("shown") !== page.change) {
      model.set("shown", page.change);
      model.save_changes();
    }
  }

  const dress = () => root.setAttribute("data-ttt-theme", themeOf(el));
  const watcher = new MutationObserver(dress);
  for (const node of [document.documentElement, document.body]) {
    watcher.observe(node, { attributes: true });
  }
  model.on("change:page", show);
  el.append(root);
  show();
  dress();
  requestAnimationFrame(dress);  // the element may be added to the page after this returns
  return () => {
    watcher.disconnect();
    model.off("change:page", show);
  };
}

export default { render };
