/** Panels and workers: as many of each. */
export const PANELS = 2;

// With the panels of single tests, 2,000 higher, below 32,768: Linux gives ports from there on to whoever
// asks for any.
const FIRST_PORT = 20_000;
const PORTS = 10_000;

// Workers and panels are processes of their own and must use the ports chosen on the first load.
process.env.E2E_PORT ??= String(FIRST_PORT + PANELS * Math.floor(Math.random() * (PORTS / PANELS)));

/**
 * Port of this worker's panel. Each worker has a panel and a database to itself, because a server
 * that a test adds is where the next line goes that is sold without naming one.
 */
export const panelPort =
  Number(process.env.E2E_PORT) + Number(process.env.TEST_PARALLEL_INDEX ?? 0);

export const panelUrl = `http://127.0.0.1:${panelPort}`;
