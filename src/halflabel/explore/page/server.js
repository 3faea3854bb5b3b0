// Questions to the server, relative to the page's own address, which holds the token.

export class Trouble extends Error {}

const GONE = "The server does not answer. Nothing more is saved until halflabel explore runs again; " +
  "then open the address it prints.";

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, { ...options, credentials: "omit", cache: "no-store" });
  } catch {
    throw new Trouble(GONE);
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    const why = typeof answer.detail === "string" ? answer.detail : `the server answered ${response.status}`;
    throw new Trouble(why);
  }
  return answer;
}

const query = (parameters) => new URLSearchParams(parameters).toString();

export const getRun = () => ask("api/run");
export const getMarks = () => ask("api/marks");
export const getNodes = (parameters) => ask(`api/nodes?${query(parameters)}`);
export const getNode = (position, parameters) => ask(`api/nodes/${position}?${query(parameters)}`);
export const getNeighbourhood = (position, limit) => ask(`api/nodes/${position}/neighbourhood?${query({ limit })}`);
export const getWhy = (position) => ask(`api/nodes/${position}/why`);

// One after another: of two marks for one node the later one must also arrive later.
let last = Promise.resolve();

export function saveMark(position, mark) {
  const save = () => ask("api/marks", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ position, mark }),
  });
  const saved = last.then(save);
  last = saved.catch(() => {});
  return saved;
}
