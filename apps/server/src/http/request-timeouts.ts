/** Milliseconds within which the headers and body of a request must arrive. */
const REQUEST_MAY_TAKE_MS = 30_000;
const LOOK_EVERY_MS = 500;

/** Ends slow requests with 408. By default Node gives headers a minute and checks every 30 s only. */
export function requestTimeouts(ms = REQUEST_MAY_TAKE_MS) {
  return {
    requestTimeout: ms,
    http: { headersTimeout: ms, connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, ms) },
  };
}
