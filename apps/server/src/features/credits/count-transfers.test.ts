import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { transact } from '../../db/transaction.ts';
import { moveCredits, SALES } from '../../domain/credits/credits.ts';
import { withoutTriggers } from '../../testing/database/tamper.ts';
import { databases, startTestPanel } from '../../testing/panel.ts';

test.each(databases)(
  'transfers of an account are counted right, whether the page ends among old ones, in the last hour, or begins at the end, on %s',
  async (kind) => {
    const panel = await startTestPanel(kind);
    try {
      const { db } = panel.services;
      const { id, client } = await panel.reseller({ credits: 100 });
      const sell = () =>
        transact(db, (tx) =>
          moveCredits(tx, { kind: 'sale', from_id: id, to_id: SALES, amount: 1, actor_id: id }),
        );
      const totals = async () => {
        const asked = ['limit=3', 'limit=1', 'limit=3&sort=created_at'].map((query) =>
          client.get(`/api/credits/transfers?account_id=${id}&${query}`),
        );
        return (await Promise.all(asked)).map(({ body }) => body.total);
      };
      for (let nth = 0; nth < 4; nth++) await sell();
      await withoutTriggers(db, (tx) =>
        sql`update credit_transfers set created_at = created_at - interval '2 hours'
        where from_id = ${id} or to_id = ${id}`.execute(tx),
      );
      expect(await totals()).toEqual([5, 5, 5]);
      for (let count = 6; count <= 9; count++) {
        await sell();
        expect(await totals()).toEqual([count, count, count]);
      }
    } finally {
      await panel.stop();
    }
  },
);
