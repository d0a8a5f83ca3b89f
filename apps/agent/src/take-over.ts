import { isText } from './bytes.ts';
import type { Row } from './files/formats.ts';
import type { RenderedFiles } from './files/rendered-files.ts';
import { Refusal } from './refusal.ts';
import { checkExpiryDate, checkLine, checkPassword, checkUsername } from './rules.ts';
import type { Account, Store } from './store.ts';

/** The number of accounts in one request, whose longest names and passwords fit into a body. */
const ACCOUNTS_AT_ONCE = 300;

type Reason = 'password_differs' | 'switched_off' | 'no_row' | 'twice';
type Refused = { username: string; reason: Reason };

/** An account to take over. */
type Asked = Account & {
  /** The panel's id of the account's line. */
  line: string | undefined;
  /** The earlier password that the account's row may still have. */
  before: string;
  /** True if the line is suspended or deleted. */
  isGone: boolean;
};

function accountOf(value: unknown): Asked {
  const given = Object(value) as Record<string, unknown>;
  const { username, password, expiryDate, before = password, line, suspended, deleted } = given;
  const texts = [username, password, expiryDate, before];
  const areTexts = texts.every((field) => typeof field === 'string');
  if (!areTexts) {
    throw new Refusal(400, 'Each account needs username, password and expiryDate as strings');
  }
  return {
    username: checkUsername(String(username)),
    password: checkPassword(String(password)),
    expiry_date: checkExpiryDate(String(expiryDate)),
    before: checkPassword(String(before)),
    line: checkLine(line === undefined ? undefined : String(line)),
    isGone: suspended === true || deleted === true,
  };
}

function reasonAgainst(account: Asked, rows: Row[]): Reason | undefined {
  if (rows.length > 1) return 'twice';
  const [row] = rows;
  const passwords = [account.password, account.before];
  if (row && !passwords.some((one) => isText(row.password ?? '', one))) return 'password_differs';
  // An operator who switched a row off wants what the panel wants for a line that is gone.
  return row?.isOff && !account.isGone ? 'switched_off' : undefined;
}

async function takeOne(
  account: Asked,
  store: Store,
  files: RenderedFiles,
): Promise<Reason | undefined> {
  const { username } = account;
  const found = await files.rowsByHand(username);
  // Nothing awaits from here on, so that no other call comes in between.
  for (const { rows } of found) {
    const reason = reasonAgainst(account, rows);
    if (reason) return reason;
  }
  if (found.length > 0) {
    store.takeOver(
      account,
      found.flatMap(({ file, rows }) => rows.map(({ name, rest }) => ({ file, name, rest }))),
    );
    // The row is removed, and its settings come back with the account.
    if (account.isGone) store.remove(username);
    return undefined;
  }
  if (store.has(username) || account.isGone) return undefined;
  return (await files.isRowInComment(username)) ? 'switched_off' : 'no_row';
}

/**
 * Makes the operator's rows of these accounts the agent's, if they have the account's password or the one that it was
 * adopted with. Such a row is recorded, and from then on edited in place, with all its settings.
 */
export async function takeOver(body: Record<string, unknown>, store: Store, files: RenderedFiles) {
  const { accounts } = body;
  if (!Array.isArray(accounts) || accounts.length > ACCOUNTS_AT_ONCE) {
    throw new Refusal(400, `accounts must be a list of at most ${ACCOUNTS_AT_ONCE}`);
  }
  const taken: string[] = [];
  const refused: Refused[] = [];
  for (const account of accounts.map(accountOf)) {
    const reason = await takeOne(account, store, files);
    if (reason) refused.push({ username: account.username, reason });
    else taken.push(account.username);
  }
  return { taken, refused };
}
