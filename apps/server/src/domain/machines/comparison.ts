import { sql } from 'kysely';
import { isOnServer } from '../../db/lines-of-server.ts';
import type { ServerRow } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import type { Services } from '../context/context.ts';
import type { ListedAccounts } from './card-server/driver.ts';
import { openDriver } from './open-driver.ts';
import type { Machine } from './same-machine.ts';
import { isDue } from './server-accounts.ts';

/** The number of accounts from which the list of a card server is long, and therefore read less often. */
export const MANY_ACCOUNTS = 5000;

/** An account that the panel has on a machine. */
export interface KnownAccount {
  /** The entry of the machine that the account belongs to. */
  server_id: string;
  username: string;
  /** The last day on which the account should work; null if its line is suspended or it is to be removed. */
  expiry_date: string | null;
  on_server: boolean;
  revision: number;
  /**
   * True if the card server has not accepted the account's last change, so that it is unknown
   * whether it has the account.
   */
  is_due: boolean;
  /**
   * True if the account has the present name and server of its line. Until it is accepted, the line
   * may work by another account.
   */
  is_own: boolean;
}

/** The accounts that the panel has on machines, under all of their entries. */
export async function readKnown(db: Db, machines: readonly Machine[]): Promise<KnownAccount[]> {
  const { rows } = await sql<KnownAccount>`
    select server_accounts.server_id, server_accounts.username, on_server, revision,
        ${isDue} as is_due, line.id is not null as is_own,
        case when (wanted ->> 'is_suspended') is null then wanted ->> 'expiry_date' end as expiry_date
      from server_accounts
        join cccam_servers entry on entry.id = server_accounts.server_id
          and entry.machine_id = any (${machines.map(({ machine_id }) => machine_id)}::uuid[])
        left join users line on line.id = of_line
          and line.username = server_accounts.username and (line.server_id = server_accounts.server_id
            or ${isOnServer(sql.ref('server_accounts.server_id'), 'line')})`.execute(db);
  return rows;
}

/** Reads the accounts of a machine, both those that the panel knows and those that the card server lists. */
export async function readAccounts(
  services: Pick<Services, 'db' | 'outbound' | 'secrets' | 'stopping'>,
  server: ServerRow,
): Promise<{ known: KnownAccount[]; listed: ListedAccounts }> {
  // The panel's accounts are read before the list: anything that is delivered or removed in between
  // may be missing from the list.
  const known = await readKnown(services.db, [server]);
  const listed = await openDriver(services, server).list(services.stopping.signal);
  return { known, listed };
}

/** An account that is switched off on the server, or has another expiry there; null if the list gives none. */
type DifferentAccount = KnownAccount & { expiry_date: string; listed_day: string | null };

/**
 * Differences between a card server's list and the panel's accounts: `running` are accounts that work although they
 * should not, `unknown` are names that the panel does not know, and `by_hand` are the operator's.
 */
export function differ(
  known: readonly KnownAccount[],
  { accounts, disabled, by_hand }: Omit<ListedAccounts & { ok: true }, 'ok' | 'tells_passwords'>,
) {
  const due: KnownAccount[] = [];
  const same: KnownAccount[] = [];
  const lost: KnownAccount[] = [];
  const different: DifferentAccount[] = [];
  const running: KnownAccount[] = [];
  for (const account of known) {
    const { username, expiry_date, is_due } = account;
    const listed_day = accounts.get(username);
    const works = listed_day !== undefined && disabled?.has(username) !== true;
    if (is_due) due.push(account);
    else if (expiry_date === null) (works ? running : same).push(account);
    else if (listed_day === undefined) lost.push(account);
    else if (works && listed_day === expiry_date) same.push(account);
    else different.push({ ...account, expiry_date, listed_day });
  }
  const names = new Set(known.map(({ username }) => username));
  const others = [...accounts.keys()].filter((username) => !names.has(username));
  return {
    ...{ due, same, lost, different, running },
    unknown: others.filter((username) => by_hand?.has(username) !== true),
    by_hand: others.filter((username) => by_hand?.has(username)),
  };
}
