import { createAccount } from '@linekeeper/contract/accounts/accounts.ts';
import { errorText } from '@linekeeper/contract/errors.ts';
import { USER_GROUP } from '@linekeeper/contract/permissions.ts';
import { fieldProblems, type Issue } from '@linekeeper/contract/problems.ts';
import type * as z from 'zod';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { checkMembership } from '../../domain/accounts/account-policy.ts';
import { insertAccount } from '../../domain/accounts/accounts.ts';
import { writeAudit } from '../../domain/audit/audit.ts';
import { accountSubject } from '../../domain/audit/audit-subjects.ts';
import type { SignedIn } from '../../domain/context/access.ts';
import {
  comparison,
  type FoundAccount,
  type Outcome,
  RowFault,
} from '../../domain/import/outcome.ts';
import { findOwner } from '../../domain/import/references.ts';
import { hashPassword, isCommonPassword } from '../../platform/keys/passwords.ts';
import { giveCredits } from './add-credits.ts';

/** What accounts get of which a file does not say it, and who adopts them. */
export interface AccountDefaults {
  actor: SignedIn;
  /** null for the top level. */
  owner_id: string | null;
  /** Name of the file, for the audit log. */
  file: string;
}

const withoutPassword = createAccount.body.partial({ password: true });
type NewAccount = z.output<typeof withoutPassword>;

/** Checks a row like the body of a call that creates an account. Throws a RowFault. */
function checkAccount(found: FoundAccount, group_id: string | undefined): NewAccount {
  const { email, password, username, full_name, notes, credits } = found;
  const amount = credits === null ? null : Number(/^\d{1,10}$/.exec(credits.trim())?.[0] ?? 'NaN');
  if (Number.isNaN(amount)) throw new RowFault('credits', errorText('NOT_A_WHOLE_NUMBER'));
  const given = { email, password, username, full_name, notes, group_id, credits: amount };
  const cells = Object.entries(given).filter(([, cell]) => cell !== null && cell !== undefined);
  const { data, error } = withoutPassword.safeParse(Object.fromEntries(cells));
  if (!data) {
    const [[field, { code, data: facts }] = ['', { code: 'INVALID_VALUE', data: {} }] as const] =
      fieldProblems(error.issues as readonly Issue[]);
    throw new RowFault(field, errorText(code, facts));
  }
  if (data.password && isCommonPassword(data.password)) {
    throw new RowFault('password', errorText('PASSWORD_TOO_COMMON'));
  }
  return data;
}

/** The group with this name or id. Throws a RowFault. */
async function findGroup(db: Db, text: string): Promise<string> {
  const named = text.trim().toLowerCase();
  const groups = await db.selectFrom('groups').select(['id', 'name']).execute();
  const group = groups.find(({ id, name }) => id === named || name.toLowerCase() === named);
  if (!group) throw new RowFault('group', `There is no group ${text.trim()}`);
  return group.id;
}

/** Compares what the file says; neither credits, which move on, nor passwords, which people change. */
async function compare(
  db: Db,
  { group, username, full_name }: FoundAccount,
  wanted: NewAccount,
  owner_id: string | null | undefined,
): Promise<Outcome | null> {
  const taken = await db
    .selectFrom('auth_users')
    .select(['username', 'full_name', 'group_id', 'owner_id'])
    .where('email', '=', wanted.email)
    .executeTakeFirst();
  if (!taken) return null;
  const differing = {
    username: username !== null && taken.username !== wanted.username,
    full_name: full_name !== null && taken.full_name !== wanted.full_name,
    group: group !== null && taken.group_id !== wanted.group_id,
    owner: owner_id !== undefined && taken.owner_id !== owner_id,
  };
  return comparison(
    Object.entries(differing).flatMap(([field, differs]) => (differs ? [field] : [])),
  );
}

async function emailOf(db: Db, id: string | null): Promise<string | undefined> {
  const account = await db
    .selectFrom('auth_users')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirst();
  return account?.email;
}

/** false where another run has taken the email since it was looked for. */
async function insertAdopted(
  tx: Tx,
  { actor, file }: AccountDefaults,
  { credits, password: _, group_id = USER_GROUP, ...about }: NewAccount,
  password_hash: string | null,
  owner_id: string | null,
): Promise<boolean> {
  await checkMembership(tx, { actor, api_key_id: null }, group_id);
  const row = { ...about, group_id, password_hash, email_verified: true, owner_id };
  const id = await insertAccount(tx, row);
  if (!id) return false;
  const transfer = credits > 0 ? await giveCredits(tx, actor, id, credits) : null;
  const after = await accountSubject.read(tx, id);
  await writeAudit(tx, { actor_id: actor.id, address: null, request_id: null }, [
    {
      action: 'account.create',
      subject_type: 'account',
      subject_id: id,
      after,
      data: { credits, ...(transfer && { transfer_id: transfer.id }), adopted_from: file },
    },
  ]);
  return true;
}

/**
 * Adopts one account of a file, where there is none with its email. In a dry run its owner may be one
 * of `planned`, emails that the file would create. Throws a RowFault.
 */
export async function adoptAccount(
  db: Db,
  found: FoundAccount,
  defaults: AccountDefaults,
  isApplied: boolean,
  planned: ReadonlySet<string>,
): Promise<Outcome> {
  if (found.fault) throw found.fault;
  const group_id = found.group === null ? undefined : await findGroup(db, found.group);
  const wanted = checkAccount(found, group_id);
  const owner = found.owner?.trim().toLowerCase();
  const isPlanned = !isApplied && owner !== undefined && planned.has(owner);
  const owner_id = found.owner === null || isPlanned ? undefined : await findOwner(db, found.owner);
  const known = await compare(db, found, wanted, owner_id);
  if (known) return known;
  if (!isApplied) {
    const above = isPlanned ? owner : await emailOf(db, owner_id ?? defaults.owner_id);
    const place = above === undefined ? 'at the top' : `below ${above}`;
    return { kind: 'new', what: `${wanted.email} ${place}` };
  }
  const hash = wanted.password === undefined ? null : await hashPassword(wanted.password);
  const isNew = await transact(db, (tx) =>
    insertAdopted(tx, defaults, wanted, hash, owner_id ?? defaults.owner_id),
  );
  if (isNew) return { kind: 'new' };
  const made = await compare(db, found, wanted, owner_id);
  if (!made) throw new RowFault('email', errorText('EMAIL_EXISTS'));
  return made;
}
