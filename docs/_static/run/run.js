// Gives each block that runs its buttons. Python starts in a worker with the first Run of the page.
const SIZE = document.querySelector("script[data-size]").dataset.size;
const TOTAL = parseFloat(SIZE) * 1e6;
const INDENT = "    ";
// The longest text of a value that is shown above its picture, in characters.
const LINE = 80;
// What runs of an exercise above another block: nothing, for the page's output is without answers.
const NOTHING = { sources: [], raises: [] };

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

let worker = null;
let isReady = false;
// The block whose Run or Check is under way.
let current = null;
// When what its state says has begun.
let began = 0;
const blocks = [];

// Edited texts, which outlast a reload, if the browser has a storage.
const remember = (key, texts) => {
  try {
    if (texts) sessionStorage.setItem(key, JSON.stringify(texts));
    else sessionStorage.removeItem(key);
  } catch {
    // Without it a reload begins anew.
  }
};
const remembered = (key) => {
  try {
    return JSON.parse(sessionStorage.getItem(key)) ?? [];
  } catch {
    return [];
  }
};

class Block {
  constructor(element, number) {
    this.number = number;
    this.element = element;
    this.data = JSON.parse(element.querySelector("script").textContent);
    this.isExercise = "check" in this.data;
    this.shown = element.querySelector(".highlight-python");
    this.spots = [...this.shown.querySelectorAll(".run-output")];
    this.written = this.spots.map((spot) => spot.textContent);
    this.start = this.data.sources.join("").replace(/\n$/, "");
    this.picture = element.querySelector(".run-picture");
    this.drawn = this.picture?.cloneNode(true);
    const name = this.isExercise ? "exercise" : "example";
    const button = (text, action) => {
      const made = make("button", { type: "button", textContent: text, onclick: action });
      made.setAttribute("aria-label", `${text} ${name} ${number + 1}`);
      return made;
    };
    this.runButton = button("Run", () => this.run(false));
    this.checkButton = button("Check", () => this.run(true));
    this.editButton = button("Edit", () => this.edit());
    this.resetButton = button("Reset", () => this.reset());
    this.stopButton = button("Stop", stop);
    this.state = make("span");
    this.state.setAttribute("role", "status");
    // What changes each second is not read out.
    this.clock = make("span");
    this.clock.setAttribute("aria-hidden", "true");
    this.bar = make("progress", { hidden: true, max: TOTAL });
    this.bar.setAttribute("aria-label", "Loading Python");
    this.buttons = make(
      "div",
      { className: "run-bar" },
      ...(this.isExercise ? [this.checkButton] : []),
      ...[this.runButton, this.editButton, this.resetButton, this.stopButton],
      this.bar,
      make("span", { className: "run-state" }, this.state, this.clock),
    );
    this.result = make("pre", { className: "run-result", hidden: true, tabIndex: 0 });
    this.result.setAttribute("role", "region");
    this.result.setAttribute("aria-label", `Output of ${name} ${number + 1}`);
    this.shown.after(this.buttons, this.result);
    this.resetButton.hidden = this.stopButton.hidden = true;
    this.key = `${location.pathname} ${number}`;
    const [start, text] = remembered(this.key);
    const isKept = start === this.start;
    if (this.isExercise || isKept) this.edit(false);
    if (isKept) {
      this.editor.value = text;
      this.grow();
    }
  }

  get isEdited() {
    return Boolean(this.editor) && this.editor.value !== this.start;
  }

  get job() {
    if (!this.isEdited) return { sources: this.data.sources, raises: this.data.raises };
    return { sources: [this.editor.value], raises: [] };
  }

  tell(state, text) {
    this.element.dataset.state = state;
    this.state.textContent = text;
    this.clock.textContent = "";
    began = Date.now();
  }

  edit(takesFocus = true) {
    if (!this.editor) {
      const editor = make("textarea", { value: this.start, spellcheck: false });
      const help = make("p", {
        id: `run-help-${this.number}`,
        className: "run-help",
        textContent: `Ctrl+Enter ${this.isExercise ? "checks" : "runs"} · Tab indents · Esc leaves`,
      });
      for (const name of ["autocapitalize", "autocomplete", "autocorrect"]) editor[name] = "off";
      editor.setAttribute("aria-label", `Code of block ${this.number + 1}`);
      editor.setAttribute("aria-describedby", help.id);
      editor.addEventListener("keydown", (event) => this.press(event));
      editor.addEventListener("input", () => {
        this.grow();
        remember(this.key, this.isEdited && [this.start, editor.value]);
      });
      this.editor = editor;
      this.help = help;
      this.shown.after(editor, help);
    }
    this.shown.hidden = this.editButton.hidden = true;
    this.resetButton.hidden = false;
    this.grow();
    if (takesFocus) this.editor.focus();
  }

  grow() {
    this.editor.rows = Math.max(3, this.editor.value.split("\n").length);
  }

  press(event) {
    const { editor } = this;
    const insert = (text) => document.execCommand("insertText", false, text);
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      this.run(this.isExercise);
    } else if (event.key === "Escape") {
      (this.isExercise ? this.checkButton : this.runButton).focus();
    } else if (event.key === "Tab" && !event.shiftKey && !event.altKey && !event.ctrlKey) {
      insert(INDENT);
    } else if (event.key === "Enter" && !event.shiftKey) {
      const line = editor.value.slice(0, editor.selectionStart).split("\n").at(-1);
      insert(`\n${/^ */.exec(line)[0]}${line.trimEnd().endsWith(":") ? INDENT : ""}`);
    } else {
      return;
    }
    event.preventDefault();
  }

  // Restores what the page says, and forgets what has run, so that all runs from the top again.
  reset() {
    if (current) stop();
    else endWorker();
    remember(this.key);
    if (this.isExercise) {
      this.editor.value = this.start;
      this.grow();
      this.editor.focus();
    } else {
      this.editor.remove();
      this.help.remove();
      this.editor = null;
      this.shown.hidden = this.editButton.hidden = false;
      this.resetButton.hidden = true;
      this.editButton.focus();
    }
    this.spots.forEach((spot, place) => (spot.textContent = this.written[place]));
    this.result.hidden = true;
    this.draw(this.drawn?.cloneNode(true));
    this.tell("", "Reset.");
  }

  draw(picture) {
    this.picture?.remove();
    this.picture = picture;
    if (picture) this.result.after(picture);
  }

  run(checks) {
    if (current) return;
    current = this;
    for (const block of blocks) block.setBusy(block === this);
    const above = blocks.slice(0, this.number);
    const jobs = [...above.map((block) => (block.isExercise ? NOTHING : block.job)), this.job];
    const loads = !worker;
    worker ??= startWorker();
    if (loads || !isReady) {
      this.bar.hidden = false;
      this.bar.value = 0;
      this.tell("loading", `Loading Python: ${SIZE}, once.`);
    } else {
      this.tell("running", "Running …");
    }
    worker.postMessage(JSON.stringify({ jobs, check: checks ? this.data.check : "" }));
  }

  setBusy(isOwn) {
    for (const button of [this.runButton, this.checkButton]) button.disabled = true;
    this.stopButton.hidden = !isOwn;
    if (isOwn && [this.runButton, this.checkButton].includes(document.activeElement)) {
      this.stopButton.focus();
    }
  }

  setFree() {
    const hadFocus = document.activeElement === this.stopButton;
    for (const button of [this.runButton, this.checkButton]) button.disabled = false;
    this.stopButton.hidden = this.bar.hidden = true;
    this.bar.removeAttribute("value");
    if (hadFocus) (this.isExercise ? this.checkButton : this.runButton).focus();
  }

  // Output of a statement goes to its place; where the code has been changed, below it.
  print(place, text) {
    if (!this.editor) {
      this.spots[place].textContent = text;
    } else {
      this.printed[place] = text;
      this.show(this.printed.join(""));
    }
  }

  show(text) {
    this.result.textContent = text;
    this.result.hidden = text === "";
  }

  begin(above) {
    if (!this.editor) this.result.hidden = true;
    this.printed = [];
    const count = `${above} block${above === 1 ? "" : "s"}`;
    if (this === current || !current) return this.tell("running", "Running …");
    current.tell("running", `Running ${count} above first …`);
    return this.tell("running", "Running …");
  }

  finish({ state, reason = "", seconds, picture = "", instead = "" }) {
    const printed = (this.printed ?? []).join("");
    if (state === "ran") {
      if (this.editor && instead.length > LINE && printed.endsWith(instead)) {
        this.show(printed.slice(0, -instead.length));
      }
      this.tell("ran", `Ran in ${seconds || "less than 0.1"} s.`);
      this.draw(picture ? pictureOf(picture) : null);
    } else if (state === "right" || state === "wrong") {
      const [first, ...more] = reason.split("\n");
      this.tell(state, `${state === "right" ? "Right." : "Not yet."} ${first}`);
      this.show(ended(printed) + more.join("\n"));
    } else {
      this.draw(null);
      const message = reason.split("\n").at(-1);
      this.tell("error", `Error: ${message}`);
      if (this.editor || this.isExercise) {
        const before = printed.replace(/Traceback[^\n]*\n {4}\.\.\.\n[^]*$/, "");
        this.show(ended(before) + reason);
      } else {
        this.show(reason);
      }
      if (current && current !== this) {
        current.tell("error", `Block ${this.number + 1} above has failed.`);
      }
    }
  }
}

const ended = (text) => (/[^\n]$/.test(text) ? `${text}\n` : text);

const pictureOf = (svg) => {
  const title = new DOMParser().parseFromString(svg, "image/svg+xml").querySelector("title");
  const image = make("img", {
    alt: title?.textContent ?? "The value as a picture",
    src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
  });
  return make("p", { className: "run-picture" }, image);
};

const free = () => {
  current = null;
  for (const block of blocks) block.setFree();
};

const fail = (reason) => {
  current?.tell("error", `${isReady ? "Python has failed" : "Python cannot be loaded"}: ${reason}`);
  endWorker();
  free();
};

const endWorker = () => {
  worker?.terminate();
  worker = null;
  isReady = false;
};

function stop() {
  endWorker();
  for (const block of blocks) {
    if (block.element.dataset.state === "running") block.tell("stopped", "Stopped.");
  }
  current?.tell("stopped", "Stopped. The next Run begins from the top of the page.");
  free();
}

const startWorker = () => {
  const made = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  made.onerror = (event) => fail(event.message || "its files are missing");
  made.onmessage = ({ data }) => {
    const news = JSON.parse(data);
    if ("loaded" in news) {
      if (!current) return;
      current.bar.value = news.loaded;
      current.clock.textContent = ` ${Math.floor((100 * news.loaded) / TOTAL)} %`;
    } else if ("starting" in news) {
      current?.bar.removeAttribute("value");
      current?.tell("loading", "Starting Python …");
    } else if ("ready" in news) {
      isReady = true;
      if (!current) return;
      current.bar.hidden = true;
      current.tell("running", "Running …");
    } else if ("failed" in news) {
      fail(news.failed);
    } else if ("done" in news) {
      free();
    } else if (blocks[news.block].isExercise && blocks[news.block] !== current) {
      return;
    } else if ("source" in news) {
      blocks[news.block].print(news.source, news.text);
    } else if (news.state === "running") {
      blocks[news.block].begin(news.above);
    } else if (news.state === "checking") {
      current?.tell("running", "Checking your answer … Stop ends it.");
    } else {
      blocks[news.block].finish(news);
    }
  };
  return made;
};

setInterval(() => {
  const seconds = Math.floor((Date.now() - began) / 1000);
  if (current && seconds && current.bar.position < 0) current.clock.textContent = ` ${seconds} s`;
}, 1000);

if (typeof WebAssembly === "object" && typeof DecompressionStream === "function") {
  document
    .querySelectorAll(".runnable")
    .forEach((element, number) => blocks.push(new Block(element, number)));
}
