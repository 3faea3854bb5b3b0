// The page: a list, a picture and a panel that follow one chosen node, and its marks.

import { RankedList } from "./list.js";
import { describeMark, describeNode, describeRow, describeWhy, thousands } from "./panel.js";
import { Picture } from "./picture.js";
import { getMarks, getNeighbourhood, getNode, getRun, getWhy, saveMark } from "./server.js";

const PAUSE = 200; // ms on a node before anybody looks for reasons, which takes the server a while
const NARROW = 450; // pixels, in which the names of thirty nodes would be too small to read
const $ = (id) => document.getElementById(id);
const known = new Map(); // position -> { mark, state: saved | saving | failed, message, time }; newer than what was fetched
let run, chosen = null;

const picture = new Picture($("picture"), walk);
const list = new RankedList($("list"), {
  describe: (element, node) => describeRow(element, node, node && markOf(node)),
  onSelect: choose, onTotal: sayFound, onTrouble: sayTrouble,
});

const markOf = (node) => known.get(node.position) ?? { mark: node.mark, state: "saved" };
const query = () => ({ search: $("search").value, order: $("order").value });

function sayTrouble(trouble) {
  $("trouble").textContent = trouble.message;
  $("trouble").hidden = false;
}

function allIsWell() {
  $("trouble").hidden = true;
}

function sayFound(total) {
  const { search, order } = query();
  const none = order === "marked" ? "Nothing is marked here yet." : `No id contains “${search}”.`;
  $("found").textContent = total ? `${thousands(total)} node${total === 1 ? "" : "s"}` : none;
}

function saySaved(marked, positives) {
  $("saved").textContent =
    `${thousands(marked)} marked; ${thousands(positives)} positives for the next fit are in ${run.marks_file}`;
}

async function choose(node) {
  chosen = node;
  $("node").hidden = false;
  describeNode(node, run);
  describeMark(markOf(node), known.get(node.position)?.time);
  $("why").textContent = "looking for reasons …";
  const still = () => chosen.position === node.position;
  try {
    const around = await getNeighbourhood(node.position, $("picture").clientWidth < NARROW ? 15 : 30);
    if (!still()) return;
    around.nodes = around.nodes.map((other) => ({ ...other, mark: markOf(other).mark }));
    picture.show(around);
    $("distrusted").hidden = !picture.hasDistrusted();
    const alone = around.nodes.length === 1 ? "no neighbours: this node has no edges" : "";
    $("left").textContent = around.left_out ? `${thousands(around.left_out)} further nodes left out` : alone;
    allIsWell();
    await new Promise((done) => setTimeout(done, PAUSE));
    if (!still()) return;
    const why = await getWhy(node.position);
    if (still()) describeWhy(why);
  } catch (trouble) {
    if (still()) $("why").textContent = "could not be asked";
    sayTrouble(trouble);
  }
}

// To a node of the picture: the list follows where it has that node.
async function walk(position) {
  if (chosen?.position === position) return;
  try {
    const { node, row } = await getNode(position, list.query);
    if (row === null) list.deselect();
    else list.select(row, { quiet: true });
    await choose(node);
  } catch (trouble) {
    sayTrouble(trouble);
  }
}

async function mark(wanted) {
  if (!chosen) return;
  const node = chosen;
  const before = markOf(node);
  const attempt = { ...before, state: "saving" };
  remember(node, attempt);
  try {
    const saved = await saveMark(node.position, wanted);
    if (known.get(node.position) === attempt) {
      remember(node, { mark: saved.node.mark, state: "saved", time: saved.time });
    }
    saySaved(saved.marked, saved.positives);
    allIsWell();
  } catch (trouble) {
    remember(node, { mark: before.mark, state: "failed", message: trouble.message });
    sayTrouble(trouble);
  }
}

function remember(node, state) {
  known.set(node.position, state);
  list.draw();
  if (state.state === "saved") picture.mark(node.position, state.mark);
  if (chosen.position === node.position) describeMark(state, state.time);
}

async function ask() {
  const total = await list.show(query());
  if (total) list.select(0);
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const typing = event.target.matches("input, select");
  if (typing && !(event.target.id === "search" && event.key === "ArrowDown")) return;
  const moves = {
    ArrowDown: typing ? 0 : 1, ArrowUp: -1, PageDown: list.page, PageUp: -list.page, Home: -Infinity, End: Infinity,
  };
  const acts = {
    p: () => mark("positive"), n: () => mark("negative"), u: () => mark(null), "/": () => $("search").focus(),
  };
  if (event.key in moves) {
    $("list").focus({ preventScroll: true });
    list.select(list.selected + moves[event.key]);
  } else if (event.key in acts) {
    acts[event.key]();
  } else {
    return;
  }
  event.preventDefault();
}

async function start() {
  run = await getRun();
  document.title = `${run.name} – halflabel explorer`;
  $("run").textContent = `· ${run.name}`;
  $("answer").textContent = run.answer;
  const marks = await getMarks();
  saySaved(marks.nodes.length, marks.positives);
  await ask();
}

let waiting;
$("search").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(ask, 150);
});
$("order").addEventListener("change", ask);
$("query").addEventListener("submit", (event) => event.preventDefault());
for (const button of document.querySelectorAll("#buttons button")) {
  button.addEventListener("click", () => mark(button.dataset.mark || null));
}
document.addEventListener("keydown", onKey);
start().catch(sayTrouble);
