import { sql } from 'kysely';
import { expect } from 'vitest';
import { basicAuth } from '../../platform/http-client/request.ts';
import { eventually } from '../eventually.ts';
import { AGENT, type TestPanel } from '../panel.ts';

/** Calls about orphans: names that an agent has and the panel does not know. */
export function orphanCalls(panel: TestPanel, agent: () => { url: string }) {
  /** Changes the card server without the panel. */
  async function meddle(method: string, path: string, body: object): Promise<void> {
    const headers = { authorization: basicAuth(AGENT), 'content-type': 'application/json' };
    const reply = await fetch(agent().url + path, { method, headers, body: JSON.stringify(body) });
    expect(reply.ok).toBe(true);
  }
  const leave = (username: string, expiryDate = '31-12-2089') =>
    meddle('POST', '/add-user', { username, password: `pw-${username}`, expiryDate });

  /** Looks for orphans immediately, as if the last look were long ago. */
  async function look() {
    const now = { next_look_at: sql<Date>`now()` };
    await panel.services.db.updateTable('orphan_looks').set(now).execute();
    const { status, body } = await panel.admin.post('/api/sync/orphans/look', {});
    expect(status).toBe(200);
    return body.items as { server_id: string; message: string | null; looked_at: string | null }[];
  }
  const list = async (query = '') => (await panel.admin.get(`/api/sync/orphans?${query}`)).body;
  const names = async (query = '') =>
    (await list(query)).items.map(({ username }: { username: string }) => username);
  async function orphan(username: string) {
    await look();
    const { items } = await list(`q=${username}`);
    expect(items).toHaveLength(1);
    return items[0];
  }
  /** Takes a server out of use, so that a look for orphans leaves it out. */
  async function retire(server_id: string): Promise<void> {
    const { db } = panel.services;
    const inactive = { status: 'inactive' as const };
    await db.updateTable('cccam_servers').set(inactive).where('id', '=', server_id).execute();
    await panel.admin.post('/api/sync/orphans/look', {});
    expect((await list(`server_id=${server_id}`)).total).toBe(0);
  }
  const adopt = (body: object) => panel.admin.post('/api/sync/orphans/adopt', body);
  const remove = (...ids: string[]) => panel.admin.post('/api/sync/orphans/remove', { ids });
  const lineNamed = async (name: string) => (await panel.admin.get(`/api/lines?q=${name}`)).body;
  const settled = () =>
    eventually(async () => expect((await panel.admin.get('/api/sync')).body.total).toBe(0));

  return { retire, meddle, leave, look, list, names, orphan, adopt, remove, lineNamed, settled };
}
