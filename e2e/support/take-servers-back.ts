import type { Api } from './api.ts';

/** Names of the servers of `seed.ts`. */
const seeded = ['Frankfurt 1', 'Frankfurt 2', 'Leeds 1', 'Warsaw 2'];

/**
 * Deletes all servers that tests have added, with their lines. A server that no longer responds
 * would be an outage on every later page, and its lines would need attention.
 */
export async function takeServersBack(admin: Api): Promise<void> {
  const { items } = await admin.get('/api/servers?limit=100');
  for (const { id, server_name } of items as { id: string; server_name: string }[]) {
    if (seeded.includes(server_name)) continue;
    for (;;) {
      const lines = await admin.get(`/api/lines?server_id=${id}&limit=100`);
      if (lines.items.length === 0) break;
      for (const line of lines.items) await admin.delete(`/api/lines/${line.id}`);
    }
    await admin.delete(`/api/servers/${id}?force=true`);
  }
}
