import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import {
  addOwnerAndServer,
  OWNER,
  SERVER,
  withEmptyDatabase,
} from '../testing/database/empty-database.ts';
import { databases } from '../testing/panel.ts';
import { migrate } from './migrate.ts';
import type { Db } from './transaction.ts';

vi.setConfig({ testTimeout: 60_000 });

const item = (label: string) => ({ label, color: 'info' });
const suspended = { label: 'suspended', color: 'error' };
const active = { label: 'active', color: 'success' };

/** Labels as older versions stored them, the labels after the migration, and the label that is stored for later. */
const lines: [before: object[], after: object[], label: object | null][] = [
  [[active], [active], null],
  [[item('suspended')], [suspended], active],
  [[item('SUSPENDED'), item('VIP')], [suspended, item('VIP')], active],
  [[item('inactive'), item('Suspended'), item('VIP')], [suspended, item('VIP')], item('inactive')],
  [[item('suspended lately')], [item('suspended lately')], null],
  [[], [], null],
];

async function storeLines(db: Db): Promise<void> {
  await addOwnerAndServer(db);
  for (const [number, [status]] of lines.entries()) {
    const username = `line-${number}`;
    await sql`
      with added as (
        insert into users (id, username, password, added_date, expiry_date, status, owner_id, server_id)
          values (gen_random_uuid(), ${username}, 'sealed', '2026-01-01', '2027-01-01',
            ${JSON.stringify(status)}::jsonb, ${OWNER}, ${SERVER}) returning id)
      insert into server_accounts (server_id, username, wanted, operation, synced_revision, on_server)
        select ${SERVER}, ${username}, jsonb_build_object('line_id', id), 'add', 1, true
          from added`.execute(db);
  }
}

describe.each(databases)('lines labelled suspended, on %s', (kind) => {
  test('are suspended from then on, and no panel wants them', () =>
    withEmptyDatabase(kind, async (db) => {
      await migrate(db, '0015_audit_and_notifications');
      await storeLines(db);
      await migrate(db);
      const { rows } = await sql<{ status: object[]; label: object | null; is_due: boolean }>`
        select status, suspension -> 'label' as label,
            wanted is null and revision > synced_revision as is_due
          from users join server_accounts using (server_id, username) order by username`.execute(
        db,
      );
      expect(rows).toEqual(
        lines.map(([, status, label]) => ({ status, label, is_due: label !== null })),
      );
      // A panel of the earlier version writes a renewal in this way.
      await sql`update server_accounts set wanted = jsonb_build_object('line_id', users.id)
        from users where users.username = server_accounts.username`.execute(db);
      const { rows: wanted } = await sql<{ is_wanted: boolean }>`
        select wanted is not null as is_wanted from server_accounts order by username`.execute(db);
      expect(wanted.map(({ is_wanted }) => is_wanted)).toEqual(
        lines.map(([, , label]) => label === null),
      );
      await expect(
        sql`update users set status = '[{"label":"Suspended"}]'
          where username = 'line-0'`.execute(db),
      ).rejects.toMatchObject({ constraint: 'users_suspension' });
    }));
});
