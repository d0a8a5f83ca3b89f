import { createAccount } from '@linekeeper/contract/accounts/accounts.ts';
import type * as contract from '@linekeeper/contract/accounts/import-accounts.ts';
import type { AccountRow, ImportedAccount } from '@linekeeper/contract/accounts/import-accounts.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { type ErrorCode, errorText } from '@linekeeper/contract/errors.ts';
import { areRowNumbers } from '@linekeeper/contract/lines/import-limits.ts';
import { USER_GROUP } from '@linekeeper/contract/permissions.ts';
import { fieldProblems, type Issue, type Problem } from '@linekeeper/contract/problems.ts';
import { type SqlBool, sql } from 'kysely';
import type * as z from 'zod';
import type { Tx } from '../../db/transaction.ts';
import { checkMembership } from '../../domain/accounts/account-policy.ts';
import { insertAccount } from '../../domain/accounts/accounts.ts';
import { type AuditEntry, auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import { accountSubject } from '../../domain/audit/audit-subjects.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { type Mutation, Unkept } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { hashPassword, isCommonPassword } from '../../platform/keys/passwords.ts';
import { giveCredits } from './move-credits.ts';

type Body = Parsed<typeof contract.importAccounts>['body'];

const withoutPassword = createAccount.body.omit({ group_id: true });
type NewAccount = z.output<typeof withoutPassword>;
type RowError = NonNullable<ImportedAccount['error']>;

/** A row of the file, checked without the database. */
interface CheckedRow {
  position: number;
  email: string;
  row: AccountRow;
  account: NewAccount | RowError;
}

function rowError(field: string, code: ErrorCode, data: Problem['data'] = {}): RowError {
  return { code, data, message: errorText(code, data), field };
}

const isError = (account: object): account is RowError => 'code' in account;
const emailOf = (text: string | undefined) => text?.trim().toLowerCase() ?? '';

/** Checks a row like the body of a call that creates an account. */
function checkCells({ credits, group: _, owner: __, ...cells }: AccountRow): NewAccount | RowError {
  const amount = credits ? Number(/^\d{1,10}$/.exec(credits.trim())?.[0] ?? 'NaN') : undefined;
  if (Number.isNaN(amount)) return rowError('credits', 'NOT_A_WHOLE_NUMBER');
  const given = Object.entries({ email: '', ...cells, credits: amount }).filter(
    ([field, cell]) => field === 'email' || (cell !== undefined && cell !== ''),
  );
  const { data, error } = withoutPassword.safeParse(Object.fromEntries(given));
  if (!data) {
    const [[field, { code, data: facts }] = ['', { code: 'INVALID_VALUE', data: {} }] as const] =
      fieldProblems(error.issues as readonly Issue[]);
    return rowError(field, code, facts);
  }
  if (data.password && isCommonPassword(data.password)) {
    return rowError('password', 'PASSWORD_TOO_COMMON');
  }
  return data;
}

/** Sorts owners before the accounts below them, regardless of the file's order. */
function ownersFirst(rows: readonly CheckedRow[]): CheckedRow[] {
  // If several rows have the same email, the first counts, because the map is filled in reverse.
  const byEmail = new Map(rows.toReversed().map((row) => [row.email, row]));
  const sorted = new Set<CheckedRow>();
  const begun = new Set<CheckedRow>();
  const visit = (row: CheckedRow) => {
    if (begun.has(row)) return;
    begun.add(row);
    const owner = byEmail.get(emailOf(row.row.owner));
    if (owner) visit(owner);
    sorted.add(row);
  };
  for (const row of rows) visit(row);
  return [...sorted];
}

/** Checks all rows. Throws INVALID_VALUE unless the row numbers rise, with one for each row. */
function checkRows(body: Body): CheckedRow[] {
  if (!areRowNumbers(body)) failField('row_numbers', 'INVALID_VALUE');
  const { rows, row_numbers } = body;
  const checked = rows.map((row, index) => ({
    position: row_numbers?.[index] ?? index + 1,
    email: emailOf(row.email),
    row,
    account: checkCells(row),
  }));
  return ownersFirst(checked);
}

/** The existing accounts and groups to which the rows of the file refer. */
async function readFacts(tx: Tx, rows: readonly CheckedRow[], owner_id: string | undefined) {
  const named = rows.flatMap(({ email, row }) => [email, emailOf(row.owner)]);
  const asked = [...new Set([...named, ...(owner_id ? [owner_id.toLowerCase()] : [])])];
  const accounts = await tx
    .selectFrom('auth_users')
    .select(['id', 'email', 'username', 'full_name', 'group_id', 'owner_id'])
    .where(sql<SqlBool>`id::text = any(${asked}::text[]) or email = any(${asked}::text[])`)
    .execute();
  const groups = await tx.selectFrom('groups').select(['id', 'name']).execute();
  return {
    byEmail: new Map(accounts.map((account) => [account.email, account])),
    byId: new Map(accounts.map((account) => [account.id, account])),
    groupOf: (text: string) =>
      groups.find(({ id, name }) => id === text || name.toLowerCase() === text.toLowerCase())?.id,
    owner_id: owner_id?.toLowerCase() ?? null,
  };
}
type Facts = Awaited<ReturnType<typeof readFacts>>;

interface Planned extends ImportedAccount {
  /** The account to create; null if the row creates none. */
  making: { account: NewAccount; group_id: string } | null;
}

/** The fields in which an account differs from its row, except credits and passwords, which people change. */
function compare(
  known: NonNullable<ReturnType<Facts['byEmail']['get']>>,
  wanted: NewAccount,
  group_id: string | undefined,
  owner_email: string | undefined,
  { byId }: Facts,
): ImportedAccount['differing'] {
  const differing = {
    username: wanted.username !== undefined && known.username !== wanted.username,
    full_name: wanted.full_name !== undefined && known.full_name !== wanted.full_name,
    group: group_id !== undefined && known.group_id !== group_id,
    owner: owner_email !== undefined && byId.get(known.owner_id ?? '')?.email !== owner_email,
  };
  const fields = ['username', 'full_name', 'group', 'owner'] as const;
  return fields.filter((field) => differing[field]);
}

/** The account of a row, or its error. `planned` are the emails of accounts of earlier rows, with their rows. */
function planRow(facts: Facts, planned: Map<string, number>, checked: CheckedRow): Planned {
  const { position, email, row, account } = checked;
  const about = { position, email, owner_email: null, credits: 0, differing: [], error: null };
  const refused = (error: RowError) =>
    ({ ...about, outcome: 'refused', error, making: null }) as const;
  const twin = planned.get(email);
  if (email !== '' && twin !== undefined) {
    return refused(rowError('email', 'EMAIL_IN_FILE', { row: twin }));
  }
  if (isError(account)) return refused(account);
  const group_id = row.group ? facts.groupOf(row.group) : undefined;
  if (row.group && !group_id) return refused(rowError('group', 'GROUP_NOT_FOUND'));
  const owner = emailOf(row.owner);
  const owner_email = planned.has(owner)
    ? owner
    : (facts.byEmail.get(owner) ?? facts.byId.get(owner))?.email;
  if (owner !== '' && !owner_email) return refused(rowError('owner', 'USER_NOT_FOUND'));
  planned.set(email, position);
  const known = facts.byEmail.get(email);
  if (known) {
    const differing = compare(known, account, group_id, owner_email, facts);
    const outcome = differing.length > 0 ? 'differs' : 'same';
    return { ...about, outcome, differing, making: null };
  }
  return {
    ...about,
    outcome: 'new',
    credits: account.credits,
    owner_email: owner_email ?? facts.byId.get(facts.owner_id ?? '')?.email ?? null,
    making: { account, group_id: group_id ?? USER_GROUP },
  };
}

/** Plans the accounts of the rows. Throws USER_NOT_FOUND if the owner for all rows does not exist. */
async function plan(tx: Tx, rows: readonly CheckedRow[], { owner_id }: Body) {
  const facts = await readFacts(tx, rows, owner_id);
  if (facts.owner_id && !facts.byId.has(facts.owner_id)) failField('owner_id', 'USER_NOT_FOUND');
  const emails = new Map<string, number>();
  return { facts, planned: rows.map((row) => planRow(facts, emails, row)) };
}

/** Password hashes by position. */
type Hashes = ReadonlyMap<number, string>;

/** Creates the accounts with their opening balances, without notifications. Throws EMAIL_EXISTS. */
async function makeAll(
  tx: Tx,
  ctx: Ctx,
  { facts, planned }: { facts: Facts; planned: readonly Planned[] },
  hashes: Hashes,
): Promise<void> {
  const groups = new Set(planned.flatMap(({ making }) => making?.group_id ?? []));
  for (const group_id of groups) await checkMembership(tx, ctx, group_id);
  const ids = new Map([...facts.byEmail].map(([email, { id }]) => [email, id]));
  const entries: AuditEntry[] = [];
  for (const { making, position, email, owner_email } of planned) {
    if (!making) continue;
    const { credits, password: _, ...about } = making.account;
    const owner_id = owner_email === null ? null : (ids.get(owner_email) ?? facts.owner_id);
    const password_hash = hashes.get(position) ?? null;
    const row = { ...about, group_id: making.group_id, password_hash, owner_id };
    const id = (await insertAccount(tx, { ...row, email_verified: true })) ?? fail('EMAIL_EXISTS');
    ids.set(email, id);
    const transfer = credits > 0 ? await giveCredits(tx, ctx.actor, id, credits) : null;
    entries.push({
      action: 'account.create',
      subject_type: 'account',
      subject_id: id,
      after: await accountSubject.read(tx, id),
      data: { credits, ...(transfer && { transfer_id: transfer.id }) },
    });
  }
  await writeAudit(tx, auditOriginOf(ctx), entries);
}

/** The rows in the order of the file. */
function shown(planned: readonly Planned[]): ImportedAccount[] {
  return planned
    .map(({ making: _, ...item }) => item)
    .sort((one, other) => one.position - other.position);
}

/** Creates the accounts of a file, each with its opening balance, which is issued. */
export const importAccounts: Mutation<
  typeof contract.importAccounts,
  { items: ImportedAccount[] },
  { rows: CheckedRow[]; hashes: Hashes }
> = {
  audit: { auditsItself: 'an entry for each account' },
  prepare: async (_, { body }) => {
    const rows = checkRows(body);
    const hashes = new Map<number, string>();
    for (const { position, account } of rows) {
      if (body.preview || isError(account) || !account.password) continue;
      hashes.set(position, await hashPassword(account.password));
    }
    return { rows, hashes };
  },
  commit: async (tx, ctx, { body }, { rows, hashes }) => {
    const plans = await plan(tx, rows, body);
    const result = { items: shown(plans.planned) };
    if (body.preview) return new Unkept(result);
    const count = plans.planned.filter(({ error }) => error).length;
    if (count > 0 && !body.only_valid) fail('IMPORT_HAS_INVALID_ROWS', { count });
    await makeAll(tx, ctx, plans, hashes);
    return result;
  },
  reply: async (_, result) => result,
};
