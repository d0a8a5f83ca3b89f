import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { countWaiting } from '../../testing/loops.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});
afterAll(() => panel?.stop());

test('an account that is made while its owner is moved is below where the owner goes', async () => {
  const { db } = panel.services;
  const [left, right] = [await panel.reseller(), await panel.reseller()];
  const moved = await panel.below(left);
  const tx = await db.startTransaction().execute();
  await tx
    .updateTable('auth_users')
    .set({ owner_id: right.id })
    .where('id', '=', moved.id)
    .execute();
  const making = db.transaction().execute((made) =>
    made
      .insertInto('auth_users')
      .values({
        id: crypto.randomUUID(),
        email: 'made@example.com',
        username: 'made',
        full_name: '',
        email_verified: true,
        group_id: '3',
        owner_id: moved.id,
        notes: null,
        avatar_url: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  await Promise.race([making, eventually(async () => expect(await countWaiting(db)).toBe(1))]);
  await tx.commit().execute();
  const { id } = await making;
  const above = await db
    .selectFrom('account_tree')
    .select('ancestor_id')
    .where('account_id', '=', id)
    .orderBy('depth')
    .execute();
  expect(above.map(({ ancestor_id }) => ancestor_id)).toEqual([id, moved.id, right.id]);
});
