/** A server that does not answer, as the panel lists it. */
export const outageOf = (server_name: string, numbers = { lines: 120, waiting: 3 }) => ({
  ...{ server_id: crypto.randomUUID(), server_name, since: new Date().toISOString() },
  ...numbers,
});
