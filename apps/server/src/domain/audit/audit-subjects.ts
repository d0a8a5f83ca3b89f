import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { Tx } from '../../db/transaction.ts';
import { readSettings } from '../../platform/settings.ts';
import type { Fields, Subject } from './audit.ts';

/** All columns that can be changed, except the password. */
const lineColumns = [
  'username',
  'protocol',
  'host_port',
  'user_value',
  'expiry_date',
  'live_channel',
  'info',
  'notes',
  'status',
  'name',
  'company',
  'role',
  'avatar_url',
  'email',
  'owner_id',
  'server_id',
  'is_trial',
  'subscription_months',
] as const;

/** The same fields, from a line read for a reply. */
export function auditedLine(line: Line): Fields {
  return Object.fromEntries(lineColumns.map((column) => [column, line[column]]));
}

export const lineSubject: Subject = {
  type: 'line',
  read: async (tx, id) =>
    (await tx
      .selectFrom('users')
      .select(lineColumns)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()) ?? null,
};

export const serverSubject: Subject = {
  type: 'server',
  read: async (tx, id) =>
    (await tx
      .selectFrom('cccam_servers')
      .select([
        'server_name',
        'host_ip',
        'port',
        'public_host',
        'public_port',
        'api_port',
        'api_scheme',
        'username',
        'protocol',
        'status',
        'repair_automatically',
      ])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()) ?? null,
};

export const accountSubject: Subject = {
  type: 'account',
  read: async (tx, id) =>
    (await tx
      .selectFrom('auth_users')
      .select(['email', 'username', 'full_name', 'notes', 'group_id', 'owner_id', 'banned'])
      .where('id', '=', id)
      .executeTakeFirst()) ?? null,
};

/** The acting account, where no other is locked. */
export const ownAccountSubject: Subject = {
  type: 'account',
  read: async (tx, id) =>
    (await tx
      .selectFrom('auth_users')
      .select(['username', 'full_name'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()) ?? null,
};

/** For acts that change no field of the account. */
export const accountActedUpon: Subject = { type: 'account' };

export const groupSubject: Subject = {
  type: 'group',
  read: async (tx, id) =>
    (await tx
      .selectFrom('groups')
      .select(['name', 'description', 'permissions'])
      .where('id', '=', id)
      .executeTakeFirst()) ?? null,
};

/** An account of which only the balance changes. */
export const balanceSubject: Subject = { type: 'account' };

/**
 * Reads the balance after the change, because reading it earlier would lock accounts in another
 * order than moving credits does.
 */
export async function balanceStates(tx: Tx, accountId: string, transfer: Transfer | null) {
  const { credits } = await tx
    .selectFrom('auth_users')
    .select('credits')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const moved = transfer ? (transfer.to_id === accountId ? 1 : -1) * transfer.amount : 0;
  return { before: { credits: credits - moved }, after: { credits } };
}

export function auditedTransfer(transfer: Transfer | null): Fields {
  return transfer ? { transfer_id: transfer.id, kind: transfer.kind, note: transfer.note } : {};
}

/** Leaves out the code itself, because its readers could redeem it. */
export const redeemCodeSubject: Subject = {
  type: 'code',
  read: async (tx, id) =>
    (await tx
      .selectFrom('redeem_codes')
      .select(['credits', 'description', 'is_active', 'max_uses', 'expires_at'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()) ?? null,
};

export const packageSubject: Subject = {
  type: 'package',
  read: async (tx, id) =>
    (await tx
      .selectFrom('credit_packages')
      .select(['name', 'credits', 'price_minor', 'currency', 'is_active'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()) ?? null,
};

export const articleSubject: Subject = {
  type: 'article',
  read: async (tx, id) =>
    (await tx
      .selectFrom('articles')
      .select(['title', 'category', 'locale', 'position', 'translation_of', 'is_published'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()) ?? null,
};

export const topUpSubject: Subject = {
  type: 'topup',
  read: async (tx, id) =>
    (await tx
      .selectFrom('top_ups')
      .select(['account_id', 'package_name', 'credits', 'price_minor', 'currency', 'method'])
      .select(['status', 'reason', 'problem', 'returned_credits', 'owed_credits'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()) ?? null,
};

/** Without what it says. */
export const messageSubject: Subject = {
  type: 'message',
  read: async (tx, id) =>
    (await tx
      .selectFrom('messages')
      .select(['title', 'is_global', 'recipient_id', 'state', 'publish_at', 'expires_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()) ?? null,
};

/** Without its text. */
export const ticketSubject: Subject = {
  type: 'ticket',
  read: async (tx, id) =>
    (await tx
      .selectFrom('tickets')
      .select(['number', 'title', 'status', 'priority', 'category', 'user_id', 'assigned_to'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()) ?? null,
};

export const cannedReplySubject: Subject = {
  type: 'cannedreply',
  read: async (tx, id) =>
    (await tx
      .selectFrom('canned_replies')
      .select(['title', 'content'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()) ?? null,
};

/** A job's effects on lines are audited for each line. */
export const jobSubject: Subject = { type: 'job' };

/** For acts that change no field of the line or server. */
export const lineActedUpon: Subject = { type: 'line' };
export const serverActedUpon: Subject = { type: 'server' };

export const settingsSubject: Subject = {
  type: 'panel',
  read: async (tx: Tx) => {
    await tx.selectFrom('settings').select('key').orderBy('key').forUpdate().execute();
    return { ...(await readSettings(tx)) };
  },
};

/** The whole panel. */
export const panelSubject: Subject = { type: 'panel' };
