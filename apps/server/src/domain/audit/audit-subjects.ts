import { lineDetailNames } from '@linekeeper/contract/fields/line-details.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { sql } from 'kysely';
import type { Database } from '../../db/schema/schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { readSettings } from '../../platform/settings.ts';
import type { Fields, Subject } from './audit.ts';

/** A row of a table with these columns, which is locked until the change that reads it has ended. */
function rowSubject<Table extends keyof Database & string>(
  type: Subject['type'],
  table: Table,
  columns: readonly (keyof Database[Table] & string)[],
  lock: 'for update' | 'for no key update' | '' = 'for no key update',
): Required<Subject> {
  return {
    type,
    read: async (tx, id) => {
      const { rows } =
        await sql<Fields>`select ${sql.join(columns.map((column) => sql.ref(column)))}
        from ${sql.table(table)} where id = ${id} ${sql.raw(lock)}`.execute(tx);
      return rows[0] ?? null;
    },
  };
}

/** All columns of a line that can be changed, except the password. */
export const lineColumns = [
  'username',
  'protocol',
  'host_port',
  'expiry_date',
  'status',
  ...lineDetailNames,
  'owner_id',
  'server_id',
  'plan_id',
  'is_trial',
  'subscription_months',
  'sharing_exempt',
  'auto_renew_months',
] as const;

/** The fields of a line that the audit log stores, with the values of a line that was read for a reply. */
export function auditedLine(line: Line): Fields {
  return Object.fromEntries(lineColumns.map((column) => [column, line[column]]));
}

export const lineSubject = rowSubject('line', 'users', lineColumns, 'for update');

export const serverSubject = rowSubject('server', 'cccam_servers', [
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
]);

export const accountSubject = rowSubject(
  'account',
  'auth_users',
  ['email', 'username', 'full_name', 'notes', 'group_id', 'owner_id', 'price_list_id', 'banned'],
  '',
);

/** The acting account, for calls that lock no other one. */
export const ownAccountSubject = rowSubject('account', 'auth_users', ['username', 'full_name']);

/** Subject of acts that change no field of the account. */
export const accountActedUpon: Subject = { type: 'account' };

/** The subject for the limits of an account; an account without limits has no state. */
export const limitsSubject: Required<Subject> = {
  type: 'account',
  read: async (tx, id) =>
    (await tx
      .selectFrom('account_limits')
      .select(['lines', 'accounts', 'trials', 'max_months', 'may_delete', 'plan_ids', 'ends_on'])
      .where('account_id', '=', id)
      .executeTakeFirst()) ?? null,
};

export const groupSubject = rowSubject(
  'group',
  'groups',
  ['name', 'description', 'permissions'],
  '',
);

/** A redeem code without the code itself, because readers of the entry could redeem it. */
export const redeemCodeSubject = rowSubject('code', 'redeem_codes', [
  'credits',
  'description',
  'is_active',
  'max_uses',
  'expires_at',
]);

/** An activation code, without the code itself. */
export const activationCodeSubject = rowSubject(
  'activationcode',
  'activation_codes',
  ['plan_id', 'note'],
  '',
);

export const planSubject = rowSubject('plan', 'plans', [
  'name',
  'description',
  'position',
  'is_offered',
  'serves',
  'terms',
]);

export const priceListSubject = rowSubject('pricelist', 'price_lists', [
  'name',
  'factor_percent',
  'terms',
]);

export const packageSubject = rowSubject('package', 'credit_packages', [
  'name',
  'credits',
  'price_minor',
  'currency',
  'is_active',
]);

export const articleSubject = rowSubject('article', 'articles', [
  'title',
  'category',
  'locale',
  'position',
  'translation_of',
  'is_published',
]);

export const topUpSubject = rowSubject('topup', 'top_ups', [
  'account_id',
  'package_name',
  'credits',
  'price_minor',
  'currency',
  'method',
  'status',
  'reason',
  'problem',
  'returned_credits',
  'owed_credits',
]);

/** A message as a subject of audit entries, which do not contain its text. */
export const messageSubject = rowSubject(
  'message',
  'messages',
  ['title', 'is_global', 'recipient_id', 'server_id', 'state', 'publish_at', 'expires_at'],
  'for update',
);

/** A ticket as a subject of audit entries, which do not contain its description. */
export const ticketSubject = rowSubject('ticket', 'tickets', [
  'number',
  'title',
  'status',
  'priority',
  'category',
  'user_id',
  'assigned_to',
]);

export const cannedReplySubject = rowSubject('cannedreply', 'canned_replies', ['title', 'content']);

/** A job. Its effects on lines are audited for each line. */
export const jobSubject: Subject = { type: 'job' };

/** Subject of acts that change no field of the line. */
export const lineActedUpon: Subject = { type: 'line' };
export const serverActedUpon: Subject = { type: 'server' };

export const settingsSubject: Subject = {
  type: 'panel',
  read: async (tx: Tx) => {
    await tx.selectFrom('settings').select('key').orderBy('key').forUpdate().execute();
    return { ...(await readSettings(tx)) };
  },
};

export const panelSubject: Subject = { type: 'panel' };
