import { type SqlBool, sql } from 'kysely';

/** SQL condition on a row of `server_accounts`: its server has not accepted its last change yet. */
export const isDue = sql<SqlBool>`server_accounts.revision > server_accounts.synced_revision`;

/** SQL condition: the server had loaded the account and lost it, and its push is not due again. */
export const isLost = sql<SqlBool>`server_accounts.wanted is not null
  and not server_accounts.on_server and (server_accounts.wanted ->> 'is_suspended') is null
  and server_accounts.revision <= server_accounts.synced_revision`;

/**
 * SQL condition: the card server refuses the account because the operator has a row with its name in the files there.
 */
export const isKeptByHand = sql<SqlBool>`server_accounts.last_finding ->> 'code'
  in ('KEPT_BY_HAND', 'SHARED_BY_HAND')`;

/** SQL condition: `isKeptByHand`, also for a line that works by its former account in the meantime. */
export const isRefusedByHand = sql<SqlBool>`(${isKeptByHand}
  or server_accounts.last_finding ->> 'code' in ('WORKS_AS', 'WORKS_ON'))`;

/**
 * SQL condition on a row of `server_accounts`, or of an alias: the account that a line uses until
 * the card server has accepted its new account.
 */
export const isFormer = (of = 'server_accounts') =>
  sql<SqlBool>`(${sql.ref(`${of}.wanted`)} ->> 'is_former') is not null`;

/** SQL condition: the account is on its server, or may be because an attempt is running or had no response. */
export const mayBeThere = sql<SqlBool>`(server_accounts.on_server or server_accounts.claimed_until is not null)`;

/** SQL condition: the account is a suspended line's, which is not wanted on the server. */
export const isOfSuspended = sql<boolean>`(wanted is null and of_line is not null)`;
