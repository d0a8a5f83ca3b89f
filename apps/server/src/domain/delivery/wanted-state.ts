import type { PushOperation } from '@linekeeper/contract/push-operations.ts';
import { sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { SoldLine, WantedAccount } from '../../db/schema/schema.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { soldNow, wantedSince } from './server-accounts.ts';

/** The account that a server should have under this name. */
export interface WantedState {
  server_id: string;
  username: string;
  /** null means that the account should not exist. */
  wanted: WantedAccount | null;
  operation: PushOperation;
  /** The line that is sold with it, and the import that sells it if one does. */
  sold?: Pick<SoldLine, 'line_id' | 'job_id'> | undefined;
}

/** The request that made the change tries first; the loop takes over after a second. */
const firstTry = sql<Date>`now() + interval '1 second'`;

type StoredState = Omit<WantedState, 'wanted' | 'sold'> & {
  wanted: string | null;
  sold: string | null;
};

const stored = ({ wanted, sold, ...state }: WantedState): StoredState => ({
  ...state,
  wanted: wanted && JSON.stringify(wanted),
  sold: sold ? JSON.stringify({ ...sold, revision: 1 }) : null,
});

const wantOne = compiledQuery(
  ['server_id', 'username', 'wanted', 'operation', 'sold'],
  (db, state) => wanting(db, [state as StoredState]),
);

/** Writes the wanted state of an account, in the transaction that changes the line. */
export async function wantOnServer(tx: Tx, state: WantedState): Promise<void> {
  await wantOne(tx, stored(state));
}

/** Writes wanted states, of which no two may be of one server and name. */
export async function wantAllOnServers(tx: Tx, states: readonly WantedState[]): Promise<void> {
  await wanting(tx, states.map(stored)).execute();
}

/**
 * Nothing is known of a name without a row. Where a suspended line keeps its account, which has no row, it may be there:
 * what is deleted then is the panel's.
 */
const keepsSuspended = ({ server_id, wanted }: StoredState) => sql<boolean>`(
  cast(${wanted} as jsonb) is null
  and exists (select from cccam_servers where id = cast(${server_id} as uuid) and kind = 'oscam_webif'))`;

/** Keeps a line's password beside what is wanted of its former account, which is known by it where it stays while suspended. */
export async function keepPassword(
  tx: Tx,
  line: { id: string; username: string; server_id: string; password: string },
): Promise<void> {
  await sql`update server_accounts
    set left_password = jsonb_build_object('line_id', ${line.id}::text, 'password', ${line.password}::text)
    from cccam_servers server
    where server.id = server_id and server.kind = 'oscam_webif' and server_id = ${line.server_id}
      and server_accounts.username = ${line.username} and left_password is null and on_server`.execute(
    tx,
  );
}

function wanting(db: Db, states: readonly StoredState[]) {
  return db
    .insertInto('server_accounts')
    .values(
      states.map((state) => ({
        ...state,
        on_server: keepsSuspended(state),
        next_try_at: firstTry,
        last_finding: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['server_id', 'username']).doUpdateSet({
        wanted: (row) => row.ref('excluded.wanted'),
        operation: (row) => row.ref('excluded.operation'),
        revision: sql`server_accounts.revision + 1`,
        attempts: 0,
        next_try_at: firstTry,
        last_finding: null,
        sold: soldNow,
        wanted_since: wantedSince,
        updated_at: sql`now()`,
      }),
    );
}
