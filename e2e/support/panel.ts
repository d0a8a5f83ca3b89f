/** Number of panels, and of workers. */
export const PANELS = 2;

// The port of the first panel. Panels of single tests are up to 2,000 higher. All are below 32,768,
// because Linux gives higher ports to any program that asks for one.
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
