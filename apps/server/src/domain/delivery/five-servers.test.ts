// @module-tag thorough
// A line of a plan on five servers, two of them away, sold by a panel that dies in the middle of its pushes.
import { expect, test } from 'vitest';
import {
  type MemoryCardServer,
  startMemoryCardServer,
} from '../../testing/card-servers/memory-card-server.ts';
import { eventually } from '../../testing/eventually.ts';
import { expectBalancedBooks, transfersOf } from '../../testing/ledger/ledger.ts';
import { newLine } from '../../testing/lines.ts';
import { startTestPanel } from '../../testing/panel.ts';
import { addPlan } from '../../testing/plans.ts';
import { endPanels, movedTo, spawnPanel } from '../../testing/process/process.ts';

test('one debit, and the same account on all five once they are back', async () => {
  const panel = await startTestPanel('postgres');
  try {
    const cards: MemoryCardServer[] = [];
    const ids: string[] = [];
    for (const name of ['1', '2', '3', '4', '5']) {
      const card = await startMemoryCardServer(name);
      cards.push(card);
      ids.push((await panel.addServer(card.url, `Server ${name}`)).id);
    }
    const rights = { oscam: { group: '1,2' } };
    const servers = ids.map((server_id) => ({ server_id, ...rights }));
    const plan_id = await addPlan(panel, { serves: 'all', servers });
    const { client, id } = await panel.reseller({ credits: 100 });
    for (const card of cards.slice(3)) card.answersWith = { status: 503 };

    const dying = await spawnPanel(panel.env);
    const [reached, dead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // The second server has stored its account, and the panel dies before it receives the reply.
    const [, second] = cards;
    if (second) {
      second.beforeChange = () => {
        reached.resolve();
        return dead.promise;
      };
    }
    const asked = movedTo(dying.url, client)
      .post('/api/lines', newLine('five', { plan_id }))
      .catch(() => undefined);
    await reached.promise;
    dying.child.kill('SIGKILL');
    await dying.ended;
    if (second) second.beforeChange = async () => {};
    dead.resolve();
    await asked;

    const { items } = (await client.get('/api/lines')).body;
    expect(items).toMatchObject([
      { username: 'five', plan_id, servers: ids.map((server_id) => ({ server_id })) },
    ]);
    const [{ id: line_id, expiry_date }] = items;
    await client.post(`/api/lines/${line_id}/renew`, { subscription_months: 1 });
    for (const card of cards) card.answersWith = null;
    const account = { password: 'pw-five', rights: { group: '1,2' } };
    await eventually(() => {
      const there = cards.map(({ accounts }) => [...accounts]);
      expect(new Set(there.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(there[0]).toMatchObject([['five', account]]);
    });
    await eventually(async () => {
      const { body } = await client.get(`/api/lines/${line_id}`);
      expect(body.sync_state).toBe('synced');
      expect(body.expiry_date > expiry_date).toBe(true);
    });
    const paid = (await transfersOf(panel.services.db, id)).map(({ kind, amount }) => [
      kind,
      amount,
    ]);
    expect(paid).toEqual([
      ['mint', 100],
      ['sale', 3],
      ['renewal', 3],
    ]);
    await expectBalancedBooks(panel.services.db);
  } finally {
    await endPanels();
  }
});
