// The chosen node in words and numbers. Ids and names are set as text, never as markup.

export const probability = (p) => p > 0.999 ? ">0.999" : p < 0.001 ? "<0.001" : p.toFixed(3);
export const thousands = (n) => n.toLocaleString("en-GB");

const SAYS = { positive: "positive", negative: "not positive" };

export function markText({ mark, state }) {
  if (state === "saving") return "saving …";
  if (state === "failed") return "not saved";
  return SAYS[mark] ?? "";
}

// A row of the list; `node` is undefined as long as the row is on its way.
export function describeRow(element, node, mark) {
  if (!element.firstChild) {
    for (const name of ["rank", "id", "mark", "probability"]) {
      const cell = document.createElement("span");
      cell.className = name;
      element.append(cell);
    }
  }
  const [rank, id, said, likely] = element.children;
  const text = node && markText(mark);
  element.classList.toggle("flagged", Boolean(node?.flagged));
  set(rank, node ? (node.rank === null ? "known" : thousands(node.rank)) : "…");
  set(id, node?.id ?? "");
  set(said, text ?? "");
  set(likely, node ? probability(node.probability) : "");
  said.className = `mark ${node ? (mark.state === "saved" ? mark.mark ?? "" : mark.state) : ""}`;
}

export function describeNode(node, run) {
  document.getElementById("name").textContent = node.id;
  const place = node.known_positive
    ? "a known positive"
    : `rank ${thousands(node.rank)} of ${thousands(run.unlabelled)}, ${node.flagged ? "flagged" : "not flagged"}`;
  document.getElementById("facts").textContent = `${place}; probability ${probability(node.probability)}`;
}

export function describeMark({ mark, state, message }, time) {
  for (const button of document.querySelectorAll("#buttons button")) {
    const own = button.dataset.mark || null;
    if (own) button.setAttribute("aria-pressed", String(own === mark && state === "saved"));
    else button.disabled = mark === null && state === "saved";
  }
  const element = document.getElementById("state");
  element.classList.toggle("trouble", state === "failed");
  element.textContent = state === "failed" ? `not saved: ${message}` : state === "saving" ? "saving …"
    : mark ? `saved${time ? ` at ${time.slice(11, 19)} UTC` : ""}` : time ? "taken back, saved" : "";
}

export function describeWhy(answer) {
  const place = document.getElementById("why");
  place.replaceChildren(...answer.sentences.map((sentence) => element("p", sentence)));
  if (answer.features.length) place.append(featureTable(answer.features));
  if (answer.edges.length) place.append(edgeTable(answer.edges));
}

const featureTable = (features) => makeTable(["feature", "value", "usual", "log-odds"], features.map(
  ({ name, value, usual, contribution }) => [name, amount(value), amount(usual), signed(contribution)]));

const edgeTable = (edges) => makeTable(["edge", "trust", "log-odds"], edges.map(
  ({ source, target, trust, log_odds }) => [`${source} → ${target}`, trust.toFixed(2), signed(log_odds)]));

// The first column is text, the others are numbers.
function makeTable(names, rows) {
  const table = document.createElement("table");
  const cells = (tag, texts) => texts.map((text, i) => element(tag, text, i ? "number" : ""));
  table.createTHead().insertRow().append(...cells("th", names));
  const body = table.createTBody();
  for (const row of rows) body.insertRow().append(...cells("td", row));
  return table;
}

function element(tag, text, name = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = name;
  return made;
}

const amount = (x) => x === null ? "" : Number(x.toPrecision(3)).toLocaleString("en-GB");
const signed = (x) => x === null ? "" : `${x > 0 ? "+" : x < 0 ? "−" : ""}${Math.abs(x).toFixed(2)}`;

function set(cell, text) {
  if (cell.textContent !== text) cell.textContent = text;
}
