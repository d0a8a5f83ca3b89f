// @module-tag thorough
import { expect, test } from 'vitest';
import type { Db } from '../../db/transaction.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import { countWaiting } from '../../testing/loops.ts';
import { startTestShop } from '../../testing/panel.ts';

/** Prevents an account from paying until the returned function is called. */
async function holdPayments(db: Db, id: string): Promise<() => Promise<void>> {
  const holding = await db.startTransaction().execute();
  await holding
    .selectFrom('auth_users')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .execute();
  return () => holding.rollback().execute();
}

const NAME = 'shared-by-two-sales-';

test.each([
  ['the longer one', `${NAME}y`, NAME],
  ['the one of 20 bytes', NAME, `${NAME}y`],
])(
  'of two names with the same first 20 bytes, sold side by side, %s is sold if it is first',
  async (_, first, second) => {
    const { panel, agent, serverId: cccam, stop } = await startTestShop();
    try {
      const { id: newcamd } = await panel.addServer(agent.url, 'The same machine');
      const newcamd_ports = [{ port: 15_001, caid: '0500' }];
      await panel.admin.patch(`/api/servers/${newcamd}`, { protocol: 'NewCamd', newcamd_ports });
      const sale = (username: string) =>
        newLine(username, { server_id: username.length > 20 ? newcamd : cccam });
      const seller = await panel.reseller();
      const { db } = panel.services;
      const release = await holdPayments(db, seller.id);
      const waiting = (count: number) =>
        eventually(async () => expect(await countWaiting(db)).toBe(count));
      const early = seller.client.post('/api/lines', sale(first));
      await waiting(1);
      const late = panel.admin.post('/api/lines', sale(second));
      await Promise.race([late, waiting(2)]);
      await release();
      expect((await early).status).toBe(201);
      expect(await late).toMatchObject({ status: 422, body: { code: 'NAME_SHARES_FIRST_20' } });
    } finally {
      await stop();
    }
  },
);
