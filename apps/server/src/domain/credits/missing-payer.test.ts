import { ISSUANCE, SALES } from '@linekeeper/contract/accounts/accounts.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transact } from '../../db/transaction.ts';
import { Refusal } from '../../platform/errors/refusal.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import { startTestAgent, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { moveCredits } from './credits.ts';

const TEXT = 'Failed to deduct credits - user ID is missing';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel();
  await panel.addServer(agent.url);
});
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
});

test('credits of an account that is gone are not moved', async () => {
  const { db } = panel.services;
  const { id: actor_id } = await panel.reseller({ credits: 5 });
  const gone = crypto.randomUUID();
  const move = (from_id: string) =>
    transact(db, (tx) =>
      moveCredits(tx, { kind: 'sale', from_id, to_id: SALES, amount: 1, actor_id }),
    );
  const refused = await move(gone).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect((refused as Refusal).body).toMatchObject({ code: 'PAYER_MISSING', message: TEXT });
  await expect(move(ISSUANCE)).resolves.toMatchObject({ amount: 1 });
});

test('a sale whose payer vanishes under it says so, and nothing is sold', {
  tags: ['spec:8.21'],
}, async () => {
  const { db } = panel.services;
  const payer = await panel.reseller({ credits: 0 });
  const waits = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
    expect(rows[0]?.count).toBeGreaterThan(0);
  };
  const sale = await db.transaction().execute(async (tx) => {
    // The audit log refers to the account, and would prevent its deletion.
    await sql`set local session_replication_role = replica`.execute(tx);
    await tx.deleteFrom('auth_users').where('id', '=', payer.id).execute();
    const reply = payer.client.post('/api/lines', newLine('of-nobody'));
    await eventually(waits);
    return { reply };
  });
  const { status, body } = await sale.reply;
  expect([status, body.code, body.message]).toEqual([409, 'PAYER_MISSING', TEXT]);
  const lines = await db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'of-nobody')
    .execute();
  expect(lines).toEqual([]);
});
