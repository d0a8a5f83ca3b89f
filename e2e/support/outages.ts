interface Numbers {
  lines: number;
  waiting: number;
  accounts?: number;
}

/** An outage of a server, as the panel returns it. */
export const outageOf = (server_name: string, numbers: Numbers = { lines: 120, waiting: 3 }) => ({
  ...{ server_id: crypto.randomUUID(), server_name, since: new Date().toISOString() },
  ...{ accounts: 5, told_at: null, no_access: false, port_answers: false },
  ...{ finding: null, ...numbers },
});

/** The panel's reply about servers that do not respond. */
export const outagesWith = (items: readonly ReturnType<typeof outageOf>[]) => ({
  ...{ items, accounts: 5, new_sales_server: 'Warsaw 2', over: [] },
});
