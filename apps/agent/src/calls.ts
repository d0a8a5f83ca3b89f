import type { IncomingHttpHeaders } from 'node:http';
import { formatDay } from '@linekeeper/contract/dates.ts';
import { isText } from '@linekeeper/oscam/bytes.ts';
import type { RightsChoices } from '@linekeeper/oscam/user-file.ts';
import type { EndDay } from './end-day.ts';
import type { Row } from './files/formats.ts';
import type { OwnFolder } from './files/own-folder.ts';
import type { RenderedFiles } from './files/rendered-files.ts';
import { Refusal, refusalOf } from './refusal.ts';
import type { ReadOutcome, Reloads } from './reload/reloads.ts';
import { type SaidByFile, shownBy } from './row-records.ts';
import { checkExpiryDate, checkLine, checkPassword, checkRights, checkUsername } from './rules.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { Account, Store } from './store.ts';

/** Accounts in a page: with the longest names it stays below 64 KiB, the most that a panel reads. */
const USERS_A_PAGE = 300;
/** Accounts in a response: with the longest names and passwords it stays below 64 KiB, the most that a panel reads. */
const USERS_SHOWN = 100;
/** Accounts in one request, at most; even their longest names and passwords fit into a body. */
const ACCOUNTS_AT_ONCE = 300;

export type Body = Record<string, unknown>;
export type Reply = { status: number; body: { message: string; [field: string]: unknown } };

/** A request; the body is empty with GET. */
type Asked = { body: Body; query: URLSearchParams; headers: IncomingHttpHeaders };

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** True for a call without sign-in. */
  open: boolean;
  run(asked: Asked): Promise<Reply>;
};

/** The text of a field in a request's body; undefined if it is absent. Throws a 400 `Refusal` for anything but text. */
function textOf(body: Body, field: string): string | undefined {
  if (!Object.hasOwn(body, field)) return undefined;
  const value = body[field];
  if (typeof value !== 'string') throw new Refusal(400, `${field} must be a string`);
  return value;
}

/**
 * The account of a request to add one, with the line that it belongs to. Throws a 400 `Refusal` for invalid fields:
 * `UNFIT_…` for a name or password, `INVALID_EXPIRY_DATE` for a day.
 */
function addedOf(body: Body) {
  const username = textOf(body, 'username');
  const password = textOf(body, 'password');
  const expiryDate = textOf(body, 'expiryDate');
  const line = checkLine(textOf(body, 'line'));
  const formerly = textOf(body, 'formerly');
  if (!username || !password) throw new Refusal(400, 'Username and password are required');
  const account = {
    username: checkUsername(username),
    password: checkPassword(password),
    expiry_date: checkExpiryDate(expiryDate ?? ''),
  };
  return { account, line, formerly, rights: checkRights(body.rights) };
}

const notFound = () => refusalOf(404, 'USER_NOT_FOUND');

/**
 * The name of an existing account. Throws 400 without one, and 404 `USER_NOT_FOUND` for one that no account can have.
 */
function usernameOf(body: Body): string {
  const username = textOf(body, 'username');
  if (!username) throw new Refusal(400, 'Username is required');
  if (!username.isWellFormed()) throw notFound();
  return username;
}

type Parts = {
  folder: OwnFolder;
  files: RenderedFiles;
  reloads: Reloads;
  sessions: Sessions;
  endDay: EndDay;
  deliver(): Promise<ReadOutcome>;
  about(): Promise<Reply['body']>;
  rightsChoices(): Promise<RightsChoices | null>;
};

function refusedForRow(code: string, file: string, message: string): Refusal {
  return new Refusal(409, `${file} ${message}`, { code, data: { file } });
}

type Reason = 'password_differs' | 'switched_off' | 'no_row' | 'twice';

type TakenOver = Account & {
  /** The panel's id of the account's line. */
  line: string | undefined;
  rights: SaidByFile | undefined;
  /** The earlier password that the account's row may still have. */
  before: string;
  /** True if the line is suspended or deleted. */
  isGone: boolean;
};

function accountOf(value: unknown): TakenOver {
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
    rights: checkRights(given.rights),
    isGone: suspended === true || deleted === true,
  };
}

function reasonAgainst(account: TakenOver, rows: Row[]): Reason | undefined {
  if (rows.length > 1) return 'twice';
  const [row] = rows;
  const passwords = [account.password, account.before];
  if (row && !passwords.some((one) => isText(row.password ?? '', one))) return 'password_differs';
  // A row that the operator switched off stays the operator's, unless the line is suspended or
  // deleted: then the panel wants it off, too.
  return row?.isOff && !account.isGone ? 'switched_off' : undefined;
}

/** The agent's HTTP API. */
class Api {
  readonly #parts: Parts;
  readonly #store: Store;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#store = parts.folder.store;
  }

  async showAbout({ headers }: Asked): Promise<Reply> {
    this.#parts.endDay.comparePanel(String(headers['panel-day']));
    return { status: 200, body: await this.#parts.about() };
  }

  /** Usernames and expiry dates, never passwords: enough for a panel to compare with its own lines. */
  listUsers({ query }: Asked): Reply {
    const accounts = this.#store.listAfter(query.get('after') ?? '', USERS_A_PAGE + 1);
    const shown = accounts.slice(0, USERS_A_PAGE);
    const users = shown.map((account) => ({
      username: account.username,
      expiryDate: formatDay(account.expiry_date),
    }));
    const next = accounts.length > USERS_A_PAGE ? (shown.at(-1)?.username ?? null) : null;
    return { status: 200, body: { message: 'OK', users, next, shows_users: true } };
  }

  /**
   * The accounts with these names and their passwords, for a panel that adopts them, and those of
   * the names for which the operator has a row.
   */
  async showUsers({ body: { usernames } }: Asked): Promise<Reply> {
    const areNames = Array.isArray(usernames) && usernames.every((one) => typeof one === 'string');
    if (!areNames || usernames.length > USERS_SHOWN) {
      throw new Refusal(400, `usernames must be a list of at most ${USERS_SHOWN} strings`);
    }
    const users: object[] = [];
    const by_hand: string[] = [];
    for (const username of usernames.filter((name: string) => name.isWellFormed())) {
      const account = this.#store.find(username);
      if (account) {
        const { password, expiry_date } = account;
        users.push({ username, password, expiryDate: formatDay(expiry_date) });
      }
      if (await this.#parts.files.fileWithRow(username)) by_hand.push(username);
    }
    return { status: 200, body: { message: 'OK', users, by_hand } };
  }

  async listRightsChoices(): Promise<Reply> {
    const choices = await this.#parts.rightsChoices();
    const { groups = null, services = null } = choices ?? {};
    return { status: 200, body: { message: 'OK', groups, services } };
  }

  /** A page of sessions. Throws 404 `NO_SESSIONS`. */
  async listSessions({ query }: Asked): Promise<Reply> {
    const page = await this.#parts.sessions.page(query.get('after'));
    return { status: 200, body: { message: 'OK', ...page } };
  }

  /** Ends sessions. Throws 404 `USER_NOT_FOUND` or `CANNOT_END_SESSIONS`, and 409 `SESSIONS_HIDDEN`. */
  async endSessions({ body }: Asked): Promise<Reply> {
    const username = usernameOf(body);
    const line = checkLine(textOf(body, 'line'));
    this.#requireAccount(username);
    const ended = await this.#parts.sessions.end(username, line);
    return { status: 200, body: { message: 'OK', ended } };
  }

  /** Adds an account. Throws 409 `USERNAME_EXISTS`, `KEPT_BY_HAND` or `SHARED_BY_HAND`. */
  async addUser({ body }: Asked): Promise<Reply> {
    const { files } = this.#parts;
    const { account, line, formerly, rights } = addedOf(body);
    const { username } = account;
    await this.#refuseOperatorRow(username);
    // An operator's row with the former name would still let the customer in.
    if (formerly !== undefined) await this.#refuseOperatorRow(formerly);
    const file = await files.fileWithSameStart(username);
    if (file !== undefined) {
      const message =
        'has a row written by hand whose username starts with the same 20 bytes. CCcam clients send only those. Choose a different username, or change that row.';
      throw refusedForRow('SHARED_BY_HAND', file, message);
    }
    // Renders before the name changes, to read the operator's settings in the row under the former name. The file may
    // have that row even after its account was deleted. The new row's write reports an unreadable file.
    if ((this.#store.rows.nameOfLine(line) ?? username) !== username) {
      await files.render().catch(() => {});
    }
    if (!this.#store.add(account, { line, rights })) throw refusalOf(409, 'USERNAME_EXISTS');
    return this.#delivered('User added successfully', { status: 201, rights });
  }

  /** Changes an account. Throws 404 `USER_NOT_FOUND` and 409 `KEPT_BY_HAND`. */
  async editUser({ body }: Asked): Promise<Reply> {
    const username = usernameOf(body);
    const password = textOf(body, 'newPassword');
    const expiryDate = textOf(body, 'newExpiryDate');
    const line = checkLine(textOf(body, 'line'));
    const rights = checkRights(body.rights);
    if (!password && !expiryDate && !rights) {
      const message = 'At least one field to update (password or expiry date) is required';
      throw new Refusal(400, message);
    }
    const changes = {
      ...(password !== undefined && { password: checkPassword(password) }),
      ...(expiryDate !== undefined && { expiry_date: checkExpiryDate(expiryDate) }),
    };
    await this.#refuseOperatorRow(username);
    this.#requireAccount(username);
    const ofLine = { line, rights };
    const isAnew = await this.#forgetEarlierCustomer(username, changes, ofLine);
    if (!isAnew && !this.#store.edit(username, changes, ofLine)) throw notFound();
    return this.#delivered('User updated successfully', { rights });
  }

  /** Deletes an account. Throws 404 `USER_NOT_FOUND` and 409 `KEPT_BY_HAND`. */
  async deleteUser({ body }: Asked): Promise<Reply> {
    const username = usernameOf(body);
    await this.#refuseOperatorRow(username);
    if (!this.#store.remove(username)) throw notFound();
    return this.#delivered('User deleted successfully');
  }

  /**
   * Takes over the operator's rows for these accounts, if they have the account's password or the one that it was
   * adopted with. A row that was taken over is recorded, and later edited in place, with all its settings.
   */
  async takeOver({ body: { accounts } }: Asked): Promise<Reply> {
    if (!Array.isArray(accounts) || accounts.length > ACCOUNTS_AT_ONCE) {
      throw new Refusal(400, `accounts must be a list of at most ${ACCOUNTS_AT_ONCE}`);
    }
    const taken: string[] = [];
    const refused: { username: string; reason: Reason }[] = [];
    const checked = accounts.map(accountOf);
    for (const account of checked) {
      const { username } = account;
      const reason = await this.#takeOne(account);
      if (reason) refused.push({ username, reason });
      else taken.push(username);
    }
    const rights = checked.find((account) => account.rights)?.rights;
    const { status, body } = await this.#delivered('Rows taken over', { rights });
    return { status, body: { ...body, taken, refused } };
  }

  /** Makes accounts end by the day of this machine's clock, which an administrator has checked. */
  async confirmDay({ body }: Asked): Promise<Reply> {
    if (!this.#parts.endDay.confirm(textOf(body, 'day') ?? '')) {
      throw new Refusal(409, 'The card server already has another date');
    }
    return this.#delivered('Date confirmed');
  }

  /** Makes the card server read its files now, regardless of the result of the last attempt. */
  async readAgain(): Promise<Reply> {
    const { reloads } = this.#parts;
    const { applied, why } = await reloads.readAgain();
    const message = why ?? 'The card server has reloaded its files';
    return { status: 200, body: { applied, message, reload: reloads.state() } };
  }

  /** The reply to a stored change, once it is written to the files; it reports whether the change had rights. */
  async #delivered(
    message: string,
    { status = 200, rights }: { status?: number; rights?: SaidByFile | undefined } = {},
  ): Promise<Reply> {
    const { applied, why } = await this.#parts.deliver();
    const sentence =
      why === null ? message : `${message}. The card server has not loaded it yet: ${why}`;
    return { status, body: { message: sentence, applied, ...(rights && { rights: true }) } };
  }

  #requireAccount(username: string): void {
    if (!this.#store.has(username)) throw notFound();
  }

  /** Throws if the operator has a row with this name, because that row lets the customer in regardless of the agent. */
  async #refuseOperatorRow(username: string): Promise<void> {
    const { files } = this.#parts;
    const file = await files.fileWithRow(username);
    if (file === undefined) return;
    const message =
      'still has a row written by hand for this username. Take it over in the panel, or remove it from the file.';
    throw refusedForRow('KEPT_BY_HAND', file, message);
  }

  /**
   * Deletes the operator's settings for an earlier customer with this name. Returns false if the customer is the same.
   */
  async #forgetEarlierCustomer(
    username: string,
    { password, expiry_date }: { password?: string; expiry_date?: string },
    { line, rights }: { line: string | undefined; rights: SaidByFile | undefined },
  ): Promise<boolean> {
    if (line === undefined || password === undefined || expiry_date === undefined) return false;
    const isSame = this.#store.find(username)?.password === password;
    if (isSame || !this.#store.rows.isOfAnother(username, line)) return false;
    this.#store.remove(username);
    await this.#parts.files.render();
    return this.#store.add({ username, password, expiry_date }, { line, rights });
  }

  async #takeOne(account: TakenOver): Promise<Reason | undefined> {
    const { username, password, before, isGone } = account;
    const { files } = this.#parts;
    const found = await files.operatorRows(username);
    // There is no `await` from here on, so that no other call runs in between.
    for (const { rows } of found) {
      const reason = reasonAgainst(account, rows);
      if (reason) return reason;
    }
    if (found.length === 0) {
      if (this.#store.has(username) || isGone) return undefined;
      return (await files.isRowInComment(username)) ? 'switched_off' : 'no_row';
    }
    const rows = found.flatMap(({ file, rows }) => rows.map((row) => ({ file, row })));
    const kept = rows.map(({ file, row: { name, password: bytes, rest } }) => {
      const shown = shownBy(bytes, password) ?? shownBy(bytes, before);
      return { file, rest, spelling: { name: shownBy(name, username), password: shown } };
    });
    this.#store.takeOver(account, kept);
    // The row of a suspended or deleted line is removed. Its settings return if the line is resumed.
    if (isGone) this.#store.remove(username);
    return undefined;
  }
}

/** Message and code of a call's refusal because the folder was replaced before it, or while it ran. */
type Guard = { before: string; after: string; code: string };

const NOT_KNOWN = 'Its records may differ from those that are stored there.';
const READ: Guard = { before: NOT_KNOWN, after: NOT_KNOWN, code: 'FOLDER_REPLACED' };
const CHANGE: Guard = {
  before: 'Nothing was changed.',
  after: 'The change may be lost.',
  code: 'FOLDER_REPLACED_MEANWHILE',
};

/** The calls of the agent's HTTP API, by path. Each throws 503 `FOLDER_REPLACED` or `FOLDER_REPLACED_MEANWHILE`. */
export function createCalls(parts: Parts): ReadonlyMap<string, Call> {
  const { folder } = parts;
  const api = new Api(parts);
  const health = () => ({ status: 200, body: { status: 'ok', message: 'OK' } });

  type Work = (asked: Asked) => Promise<Reply> | Reply;
  function callOf(method: Call['method'], guard: Guard, work: Work): Call {
    async function run(asked: Asked): Promise<Reply> {
      folder.requireOwn(guard.before);
      try {
        return await work(asked);
      } finally {
        folder.requireOwn(guard.after, guard.code);
      }
    }
    return { method, open: work === health, run };
  }

  // A Map, because a plain object would also find inherited properties such as "constructor".
  return new Map([
    ['/health', callOf('GET', READ, health)],
    ['/', callOf('GET', READ, (asked) => api.showAbout(asked))],
    ['/users', callOf('GET', READ, (asked) => api.listUsers(asked))],
    ['/show-users', callOf('POST', READ, (asked) => api.showUsers(asked))],
    ['/sessions', callOf('GET', READ, (asked) => api.listSessions(asked))],
    ['/rights-choices', callOf('GET', READ, () => api.listRightsChoices())],
    ['/end-sessions', callOf('POST', READ, (asked) => api.endSessions(asked))],
    ['/reload', callOf('POST', CHANGE, () => api.readAgain())],
    ['/confirm-day', callOf('POST', CHANGE, (asked) => api.confirmDay(asked))],
    ['/add-user', callOf('POST', CHANGE, (asked) => api.addUser(asked))],
    ['/edit-user', callOf('PUT', CHANGE, (asked) => api.editUser(asked))],
    ['/take-over', callOf('POST', CHANGE, (asked) => api.takeOver(asked))],
    ['/delete-user', callOf('DELETE', CHANGE, (asked) => api.deleteUser(asked))],
  ]);
}
