import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LineDetailName } from '@linekeeper/contract/fields/line-details.ts';
import { type Insertable, sql } from 'kysely';
import type { UsersTable } from '../db/schema/schema.ts';
import type { Db } from '../db/transaction.ts';
import { detailColumns } from '../domain/lines/line-details.ts';
import { newId } from '../platform/ids.ts';

/** The body for a sale of one month; `more` overrides fields. */
export function newLine(username: string, more: Record<string, unknown> = {}) {
  return { username, password: `pw-${username}`, subscription_months: 1, ...more };
}

/** The files that an agent has written for its card servers. */
export async function readServerFiles(agent: { dir: string }) {
  const [cccam, oscam] = await Promise.all(
    ['CCcam.cfg', 'oscam.user'].map((name) => readFile(join(agent.dir, name), 'utf8')),
  );
  return { cccam: cccam ?? '', oscam: oscam ?? '' };
}

type StoredLine = { username: string } & Partial<
  Pick<
    Insertable<UsersTable>,
    LineDetailName | 'added_date' | 'expiry_date' | 'status' | 'is_trial' | 'suspension' | 'plan_id'
  >
>;

/** The stored suspension of a line with the label "suspended". */
export const storedSuspension = JSON.stringify({
  by_id: null,
  reason: null,
  at: '2026-01-01T00:00:00.000Z',
  label: { label: 'active', color: 'success' },
});

/** Stores that the server has accepted all its lines, as after their pushes. */
export async function storeTaken(db: Db, server_id: string): Promise<void> {
  await sql`insert into server_accounts (server_id, username, of_line, wanted, operation, revision, synced_revision, on_server)
    select ${server_id}, username, id, jsonb_build_object('line_id', id, 'expiry_date', expiry_date), 'add', 1, 1, true
      from users where ${server_id} in (select at from servers_of(users.server_id, plan_id) as at)
    on conflict do nothing`.execute(db);
}

/** Inserts lines directly, which is fast and pushes nothing. */
export async function storeLines(
  db: Db,
  owner_id: string,
  server_id: string,
  rows: StoredLine[],
): Promise<string[]> {
  const values = rows.map((row) => ({
    id: newId(),
    password: 'never read',
    protocol: 'cccam',
    host_port: [],
    added_date: '2026-01-01',
    expiry_date: '2099-01-01',
    status: JSON.stringify([{ label: 'active', color: 'success' }]),
    is_trial: false,
    owner_id,
    server_id,
    subscription_months: 1,
    suspension: /^\[\{"label":"suspended"/i.test(row.status ?? '') ? storedSuspension : null,
    ...detailColumns({}),
    ...row,
  }));
  await db.insertInto('users').values(values).execute();
  return values.map(({ id }) => id);
}
