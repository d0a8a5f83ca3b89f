import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { type Scope, visibleTo } from '../context/access.ts';

export interface Asked {
  accounts?: readonly (string | null)[];
  lines?: readonly (string | null)[];
  servers?: readonly (string | null)[];
}

export interface NamedAccount {
  name: string;
  email: string;
}

/** The names of what is still there and visible. */
export interface SubjectNames {
  accounts: ReadonlyMap<string, NamedAccount>;
  lines: ReadonlyMap<string, string>;
  servers: ReadonlyMap<string, string>;
}

/** Subjects in the audit log are texts, and the panel itself has no id. */
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const idsOf = (given: readonly (string | null)[] = []) => [
  ...new Set(given.filter((id): id is string => id !== null && UUID.test(id))),
];

/** Reads the names of all asked ids in one statement. Servers are named to anybody who may sell. */
export async function readNames(
  db: Db,
  scopes: { accounts: Scope; lines: Scope },
  asked: Asked,
): Promise<SubjectNames> {
  const [accounts, lines, servers] = [asked.accounts, asked.lines, asked.servers].map(idsOf);
  const { rows } = await sql<{ kind: keyof Asked; id: string; name: string; email: string }>`
    select 'accounts' as kind, id, coalesce(nullif(full_name, ''), email) as name, email
      from auth_users
      where id = any(${accounts}::uuid[]) and ${visibleTo(scopes.accounts, 'auth_users.id')}
    union all
    select 'lines', id, username, '' from users
      where id = any(${lines}::uuid[]) and ${visibleTo(scopes.lines, 'users.owner_id')}
    union all
    select 'servers', id, server_name, '' from cccam_servers
      where id = any(${servers}::uuid[])`.execute(db);
  const of = (kind: keyof Asked) => rows.filter((row) => row.kind === kind);
  return {
    accounts: new Map(of('accounts').map(({ id, name, email }) => [id, { name, email }])),
    lines: new Map(of('lines').map(({ id, name }) => [id, name])),
    servers: new Map(of('servers').map(({ id, name }) => [id, name])),
  };
}
