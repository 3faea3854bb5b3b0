// The neighbourhood, drawn: the chosen node in the middle, its neighbours around it, theirs further out.

const LONGEST = 18, RING = 85, ROOM = 62, LEAST = 1.6, DISTRUST = 0.5;

export class Picture {
  constructor(element, onWalk) {
    this.element = element;
    this.cy = cytoscape({
      container: element, minZoom: 0.2, maxZoom: 3, autoungrabify: true, boxSelectionEnabled: false,
      layout: { name: "preset" },
    });
    this.paint();
    this.cy.on("tap", "node", (event) => onWalk(Number(event.target.id())));
    this.cy.on("mouseover", "node", () => { element.style.cursor = "pointer"; });
    this.cy.on("mouseout", "node", () => { element.style.cursor = ""; });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
    new ResizeObserver(() => this.fit()).observe(element);
  }

  // Colours are those of the style sheet, light or dark.
  paint() {
    const look = getComputedStyle(document.documentElement);
    const colour = (name) => look.getPropertyValue(name).trim();
    const [ink, faint, line, paper] = ["--ink", "--faint", "--line", "--paper"].map(colour);
    const [known, unlabelled, pale] = ["--known", "--unlabelled", "--pale"].map(colour);
    this.cy.style([
      { selector: "node", style: {
        label: "data(label)", color: ink, "font-size": 11, "text-valign": "bottom", "text-margin-y": 4,
        "text-outline-color": paper, "text-outline-width": 2, "min-zoomed-font-size": 6,
        width: 20, height: 20, "border-width": 1.5, "border-color": unlabelled,
        "background-color": `mapData(probability, 0, 1, ${pale}, ${unlabelled})` } },
      { selector: "node[?known]", style: { shape: "diamond", width: 24, height: 24,
        "background-color": known, "border-color": known } },
      { selector: "node[mark = 'positive']", style: { "border-color": known, "border-width": 5 } },
      { selector: "node[mark = 'negative']", style: { "border-color": faint, "border-width": 3,
        "border-style": "dashed", "background-color": line } },
      { selector: "node[?centre]", style: { width: 34, height: 34, "font-weight": "bold", "font-size": 13,
        "overlay-color": ink, "overlay-opacity": 0.1, "overlay-padding": 7, "overlay-shape": "ellipse" } },
      { selector: "edge", style: {
        "curve-style": "bezier", "control-point-step-size": 14, width: "mapData(trust, 0, 1, 1, 2.5)",
        "line-color": faint, "line-opacity": "mapData(trust, 0, 1, 0.5, 0.8)",
        "target-arrow-shape": "triangle", "target-arrow-color": faint, "arrow-scale": 0.7 } },
      { selector: `edge[trust < ${DISTRUST}]`, style: {
        "line-style": "dashed", "line-color": known, "target-arrow-color": known, "line-opacity": 0.7 } },
    ]);
  }

  show({ nodes, edges }) {
    const places = around(nodes, edges);
    this.cy.elements().remove();
    this.cy.add(nodes.map((node, i) => ({
      data: { id: String(node.position), label: shortened(node.id), probability: node.probability,
        known: node.known_positive, mark: node.mark ?? "", centre: i === 0 },
      position: places.get(node.position),
    })));
    this.cy.add(edges.map((edge, i) => ({
      data: { id: `e${i}`, source: String(edge.source), target: String(edge.target), trust: edge.trust },
    })));
    this.fit();
  }

  mark(position, mark) {
    this.cy.getElementById(String(position)).data("mark", mark ?? "");
  }

  hasDistrusted() {
    return this.cy.edges(`[trust < ${DISTRUST}]`).nonempty();
  }

  fit() {
    this.cy.resize();
    this.cy.fit(undefined, 28);
    if (this.cy.zoom() > 1.3) { this.cy.zoom(1.3); this.cy.center(); }
  }
}

const shortened = (id) => id.length > LONGEST ? `${id.slice(0, LONGEST - 1)}…` : id;

// A tree around the first node; whoever is two steps away is placed beyond the neighbour most trusted to lead there.
function around(nodes, edges) {
  const steps = new Map(nodes.map((node) => [node.position, node.steps]));
  const parent = new Map(), trust = new Map();
  for (const { source, target, trust: given } of edges) {
    for (const [near, far] of [[source, target], [target, source]]) {
      if (steps.get(near) === 1 && steps.get(far) === 2 && given > (trust.get(far) ?? -1)) {
        parent.set(far, near);
        trust.set(far, given);
      }
    }
  }
  const inner = nodes.filter((node) => node.steps === 1).map((node) => node.position);
  const children = new Map(inner.map((near) => [near, [...parent].filter(([, by]) => by === near).map(([far]) => far)]));
  const share = (near) => Math.max(LEAST, children.get(near).length);
  const total = inner.reduce((sum, near) => sum + share(near), 0);
  const outer = Math.max(2 * RING, total * ROOM / (2 * Math.PI)), middle = Math.max(RING, outer / 2);
  const places = new Map([[nodes[0].position, { x: 0, y: 0 }]]);
  const at = (radius, turn) => ({ x: radius * Math.sin(turn), y: -radius * Math.cos(turn) });
  let before = 0;
  for (const near of inner) {
    const width = share(near), own = children.get(near);
    places.set(near, at(middle, 2 * Math.PI * (before + width / 2) / total));
    own.forEach((far, i) => places.set(far, at(outer, 2 * Math.PI * (before + (i + 0.5) * width / own.length) / total)));
    before += width;
  }
  return places;
}
