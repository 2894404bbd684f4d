// The weak levels of games of one line, until the engine is there: they win if they can, block if they
// must, else take the best group of cells, and now and then any cell. The build tells what a game is;
// tests compare every choice with the library's.

export const SIDES = ["X", "O"];

const other = (mark) => SIDES[1 - SIDES.indexOf(mark)];

// The free cells, where marks fall the lowest of each column; `cells` holds a letter or "" for each.
export const legalCells = ({ columns, falls }, cells) =>
  [...cells.keys()].filter((cell) => !cells[cell] && (!falls || cells[cell + columns] !== ""));

// The first row that a side has filled, which may be longer than a line; empty if there is none.
const rowOf = ({ lines }, cells, mark) => {
  const filled = lines.filter((line) => line.every((cell) => cells[cell] === mark));
  const row = filled.filter((line) => line[1] - line[0] === filled[0][1] - filled[0][0]);
  return [...new Set(row.flat())].sort((one, other) => one - other);
};

const placed = (cells, move, mark) => cells.map((held, cell) => (cell === move ? mark : held));

const endings = (game, cells, moves, mark) =>
  moves.filter((move) => rowOf(game, placed(cells, move, mark), mark).length);

export const carefulCells = (game, cells, mark) => {
  const moves = legalCells(game, cells);
  const choices = [
    endings(game, cells, moves, mark),
    endings(game, cells, moves, other(mark)),
    ...game.groups.map((group) => moves.filter((move) => group.includes(move))),
  ];
  return choices.find((choice) => choice.length) ?? moves;
};

const oneOf = (list) => list[Math.floor(Math.random() * list.length)];

// A level is the share of its careful moves.
export const chooseCell = (game, cells, mark, level) =>
  oneOf(Math.random() < game.levels[level] ? carefulCells(game, cells, mark) : legalCells(game, cells));

// The cells, the moves, whose turn it is, the row that won. The moves are named as in an address; null
// if one is illegal.
export const play = (game, first, names) => {
  const match = { first, cells: game.names.map(() => ""), moves: [], row: [], turn: first };
  for (const name of names) {
    const move = legalCells(game, match.cells).find((cell) => game.moves[cell] === name);
    if (move === undefined || !match.turn) return null;
    match.cells[move] = match.turn;
    match.moves.push(move);
    match.row = rowOf(game, match.cells, match.turn);
    match.turn = match.row.length || match.cells.every(Boolean) ? "" : other(match.turn);
  }
  return match;
};
