// The ranked list: a hundred rows are fetched at a time, and only those in view are in the document.

import { getNodes } from "./server.js";

const ROW = 32, BLOCK = 100, BEYOND = 6, KEPT = 40;
const TALLEST = 5_000_000; // pixels; browsers lose precision beyond some more

export class RankedList {
  constructor(element, { describe, onSelect, onTotal, onTrouble }) {
    this.element = element;
    this.sizer = element.firstElementChild;
    Object.assign(this, { describe, onSelect, onTotal, onTrouble });
    this.query = { search: "", order: "rank" };
    this.forget();
    element.addEventListener("scroll", () => this.soon());
    element.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) this.select(Number(row.dataset.row));
    });
    new ResizeObserver(() => this.soon()).observe(element);
  }

  forget() {
    this.total = null;
    this.blocks = new Map();
    this.selected = -1;
    this.generation = (this.generation ?? 0) + 1;
    for (const row of this.drawn?.values() ?? []) row.remove();
    this.drawn = new Map();
  }

  // Ask anew; resolves to the number of rows.
  async show(query) {
    this.query = query;
    this.forget();
    this.element.scrollTop = 0;
    const generation = this.generation;
    await this.load(0);
    if (generation === this.generation) this.draw();
    return this.total;
  }

  load(block) {
    if (!this.blocks.has(block)) {
      const generation = this.generation;
      const asked = getNodes({ ...this.query, offset: block * BLOCK, limit: BLOCK }).then((answer) => {
        if (generation !== this.generation) return;
        this.blocks.set(block, answer.nodes);
        if (answer.total !== this.total) {
          this.total = answer.total;
          this.onTotal(answer.total);
        }
        this.soon();
      }, (trouble) => {
        if (generation === this.generation) this.blocks.delete(block);
        this.onTrouble(trouble);
      });
      this.blocks.set(block, asked);
      if (this.blocks.size > KEPT) this.dropFarFrom(block);
    }
    return Promise.resolve(this.blocks.get(block));
  }

  dropFarFrom(block) {
    const far = [...this.blocks.keys()].sort((a, b) => Math.abs(b - block) - Math.abs(a - block));
    for (const key of far.slice(0, this.blocks.size - KEPT)) this.blocks.delete(key);
  }

  at(row) {
    const block = this.blocks.get(Math.floor(row / BLOCK));
    return Array.isArray(block) ? block[row % BLOCK] : undefined;
  }

  soon() {
    this.frame ??= requestAnimationFrame(() => { this.frame = null; this.draw(); });
  }

  // Pixels of the whole list above the view. A list too tall for the browser is scrolled in larger steps.
  above() {
    const { scrollTop, clientHeight } = this.element;
    const whole = this.total * ROW, height = Math.min(whole, TALLEST);
    return height === whole ? scrollTop : scrollTop / (height - clientHeight) * (whole - clientHeight);
  }

  draw() {
    if (this.total === null) return;
    const view = this.element.clientHeight;
    this.sizer.style.height = `${Math.min(this.total * ROW, TALLEST)}px`;
    const above = this.above();
    const first = Math.max(0, Math.floor(above / ROW) - BEYOND);
    const stop = Math.min(this.total, Math.ceil((above + view) / ROW) + BEYOND);
    for (const [row, element] of this.drawn) {
      if (row < first || row >= stop) { element.remove(); this.drawn.delete(row); }
    }
    for (let row = first; row < stop; row++) this.drawRow(row, row * ROW - above + this.element.scrollTop);
    for (let block = Math.floor(first / BLOCK); block * BLOCK < stop; block++) this.load(block);
  }

  drawRow(row, top) {
    let element = this.drawn.get(row);
    if (!element) {
      element = document.createElement("div");
      element.id = `row-${row}`;
      element.dataset.row = row;
      element.setAttribute("role", "option");
      this.sizer.append(element);
      this.drawn.set(row, element);
    }
    element.style.transform = `translateY(${top}px)`;
    element.setAttribute("aria-selected", String(row === this.selected));
    element.setAttribute("aria-posinset", row + 1);
    element.setAttribute("aria-setsize", this.total);
    element.className = "row";
    this.describe(element, this.at(row));
  }

  async select(row, { quiet = false } = {}) {
    if (!this.total) return;
    this.selected = Math.min(Math.max(row, 0), this.total - 1);
    this.reveal(this.selected);
    this.element.setAttribute("aria-activedescendant", `row-${this.selected}`);
    this.draw();
    const wanted = this.selected, generation = this.generation;
    await this.load(Math.floor(wanted / BLOCK));
    const node = this.at(wanted);
    if (!quiet && node && wanted === this.selected && generation === this.generation) this.onSelect(node);
  }

  deselect() {
    this.selected = -1;
    this.element.removeAttribute("aria-activedescendant");
    this.draw();
  }

  reveal(row) {
    const view = this.element.clientHeight, above = this.above();
    let wanted = above;
    if (row * ROW < above) wanted = row * ROW;
    else if ((row + 1) * ROW > above + view) wanted = (row + 1) * ROW - view;
    if (wanted === above) return;
    const whole = this.total * ROW, height = Math.min(whole, TALLEST);
    this.element.scrollTop = height === whole ? wanted : wanted / (whole - view) * (height - view);
  }

  get page() {
    return Math.max(1, Math.floor(this.element.clientHeight / ROW) - 1);
  }
}
