// The ranked list and the slider. Everything of the user's is written with textContent, never as markup.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const find = (id) => document.getElementById(id);
  document.documentElement.classList.add("scripted");

  const { ids, probability, flagged, why } = data.ranked;
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  const reason = (i) => why[i] || "";
  // Rows are known by their place in the ranking, which is also how the probability sorts them.
  const orders = {
    rank: (a, b) => a - b,
    id: (a, b) => compare(ids[a], ids[b]) || a - b,
    probability: (a, b) => b - a,
    flagged: (a, b) => (b < flagged) - (a < flagged) || a - b,
    why: (a, b) => !reason(a) - !reason(b) || compare(reason(a), reason(b)) || a - b,
  };
  const ROWS = 10;
  const view = { key: "rank", up: true, words: "", page: 0, rows: ids.map((_, i) => i) };

  function arrange() {
    const wanted = view.words.toLowerCase();
    view.rows = ids.map((_, i) => i).filter((i) => ids[i].toLowerCase().includes(wanted));
    view.rows.sort(orders[view.key]);
    if (!view.up) view.rows.reverse();
    view.page = 0;
    show();
  }

  function cell(row, text, kind) {
    const made = row.insertCell();
    made.className = kind;
    made.textContent = text;
    return made;
  }

  function show() {
    const body = find("rows");
    body.replaceChildren();
    const from = view.page * ROWS;
    for (const i of view.rows.slice(from, from + ROWS)) {
      const row = body.insertRow();
      cell(row, (i + 1).toLocaleString("en"), "right");
      const name = document.createElement("bdi");
      name.textContent = ids[i];
      cell(row, "", "id").append(name);
      cell(row, probability[i], "right");
      cell(row, i < flagged ? "yes" : "no", i < flagged ? "flag" : "");
      cell(row, reason(i), "why");
    }
    const count = view.rows.length, last = Math.min(from + ROWS, count);
    find("place").textContent = count
      ? `${(from + 1).toLocaleString("en")} to ${last.toLocaleString("en")} of ${count.toLocaleString("en")}`
      : "no such node";
    find("back").disabled = from === 0;
    find("on").disabled = last === count;
    for (const head of document.querySelectorAll("#ranking .live th")) {
      const chosen = head.firstElementChild.dataset.key === view.key;
      head.ariaSort = chosen ? (view.up ? "ascending" : "descending") : "none";
    }
  }

  find("search").addEventListener("input", (event) => { view.words = event.target.value; arrange(); });
  find("back").addEventListener("click", () => { view.page -= 1; show(); });
  find("on").addEventListener("click", () => { view.page += 1; show(); });
  for (const button of document.querySelectorAll("#ranking .live th button")) {
    button.addEventListener("click", () => {
      view.up = view.key === button.dataset.key ? !view.up : true;
      view.key = button.dataset.key;
      arrange();
    });
  }
  show();

  const slider = find("budget"), marker = find("marker");
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  function expect() {
    const at = Number(slider.value), count = data.budget.count[at], hits = data.budget.hits[at];
    const nodes = count === 1 ? "the most likely node" : `the ${count.toLocaleString("en")} most likely nodes`;
    find("said").textContent = `Review ${nodes}: expect about ${Math.round(hits).toLocaleString("en")} to be `
      + `positive (precision ${percent(hits / count)}, recall ${percent(data.left ? hits / data.left : 0)}).`;
    if (marker) {
      const points = marker.ownerSVGElement.querySelector("polyline").points;
      marker.setAttribute("cx", points[at].x);
      marker.setAttribute("cy", points[at].y);
    }
  }
  if (slider) {
    slider.addEventListener("input", expect);
    expect();
  }
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => { part.open = true; }));
})();
