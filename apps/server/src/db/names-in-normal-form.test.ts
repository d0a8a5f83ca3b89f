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

const addLine = (db: Db, username: string, number = 0) =>
  sql`insert into users (id, username, password, added_date, expiry_date, status, owner_id,
      server_id, created_at)
    values (gen_random_uuid(), ${username}, 'sealed', '2026-01-01', '2027-01-01',
      '[{"label":"active","color":"success"}]', ${OWNER}, ${SERVER},
      timestamptz '2026-01-01' + make_interval(days => ${number}))`.execute(db);

/** Names in the order of insertion; the last ones are already normalised. */
const stored = [
  'anna',
  'jose\u0301',
  'jos\u00e9',
  // The letter has a mark below and a mark above, in either order.
  'q\u0307\u0323',
  'q\u0323\u0307',
  'only-e\u0301',
  // The kelvin sign is normalised to K.
  '\u212a1',
  'K1',
];

describe.each(databases)('lines with names that look the same, on %s', (kind) => {
  test('outlive the update as they are, and no further one joins them', () =>
    withEmptyDatabase(kind, async (db) => {
      await migrate(db, '0008_trials_made');
      await addOwnerAndServer(db);
      for (const [number, username] of stored.entries()) await addLine(db, username, number);
      await migrate(db);
      const { rows } = await sql<{ username: string; is_name_twin: boolean }>`
        select username, is_name_twin from users order by created_at`.execute(db);
      expect(rows.map(({ username, is_name_twin }) => [username, is_name_twin])).toEqual([
        ['anna', false],
        ['jose\u0301', true],
        ['jos\u00e9', false],
        ['q\u0307\u0323', true],
        ['q\u0323\u0307', false],
        ['only-e\u0301', false],
        ['\u212a1', true],
        ['K1', false],
      ]);
      for (const username of ['only-\u00e9', 'jos\u00e9', 'q\u0323\u0307', 'K1', 'anna']) {
        await expect(addLine(db, username), username).rejects.toMatchObject({ code: '23505' });
      }
      await addLine(db, 'another');
    }));
});
