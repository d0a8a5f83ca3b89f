import type { IncomingHttpHeaders } from 'node:http';
import { isText } from '@linekeeper/oscam/bytes.ts';
import type { EndDay } from './end-day.ts';
import type { Row } from './files/formats.ts';
import type { OwnFolder } from './files/own-folder.ts';
import type { RenderedFiles } from './files/rendered-files.ts';
import { Refusal, refusalOf } from './refusal.ts';
import type { ReadOutcome, Reloads } from './reload/reloads.ts';
import { checkExpiryDate, checkLine, checkPassword, checkUsername } from './rules.ts';
import type { Sessions } from './sessions/sessions.ts';
import { shownBy } from './spelling.ts';
import type { Account, Store } from './store.ts';

/** Keeps a page of the longest names below 64 KiB, the most that a panel reads. */
const USERS_A_PAGE = 300;
/** Keeps a reply of the longest names and passwords below 64 KiB, the most that a panel reads. */
const USERS_SHOWN = 100;
/** The number of accounts in one request, whose longest names and passwords fit into a body. */
const ACCOUNTS_AT_ONCE = 300;

export type Body = Record<string, unknown>;
export type Reply = { status: number; body: { message: string; [field: string]: unknown } };

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  open?: true;
  run(
    readBody: () => Promise<Body>,
    query: URLSearchParams,
    headers: IncomingHttpHeaders,
  ): Promise<Reply> | Reply;
};

/** The field's text; undefined if absent. Throws a 400 `Refusal` for anything but text. */
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
  return { account, line, formerly };
}

const notFound = () => refusalOf(404, 'USER_NOT_FOUND');

function changed(status: number, message: string, { applied, why }: ReadOutcome): Reply {
  const said = why === null ? message : `${message}. The card server has not read it yet: ${why}`;
  return { status, body: { message: said, applied } };
}

type Delivery = { files: RenderedFiles; reloads: Reloads; deliver(): Promise<ReadOutcome> };

function refusedByHand(code: string, file: string, message: string): Refusal {
  return new Refusal(409, `${file} ${message}`, {}, { code, data: { file } });
}

/** Throws 409 `KEPT_BY_HAND` for a name of the operator's own row, which lets the customer in whatever the agent does. */
async function refuseKeptByHand(files: RenderedFiles, username: string): Promise<void> {
  const file = username.isWellFormed() ? await files.keptByHand(username) : undefined;
  if (file === undefined) return;
  const message =
    'still has a row of its own for this username. Take it over in the panel, or remove it there.';
  throw refusedByHand('KEPT_BY_HAND', file, message);
}

/** Throws 409 `SHARED_BY_HAND` for a name that CCcam takes for another one of the operator's own rows. */
async function refuseSharedByHand(files: RenderedFiles, username: string): Promise<void> {
  const file = await files.sharedByHand(username);
  if (file === undefined) return;
  const message =
    'has a row of its own whose username begins with the same 20 bytes, and a CCcam client does not send more. Choose another username, or change that row.';
  throw refusedByHand('SHARED_BY_HAND', file, message);
}

/**
 * Forgets the operator's settings for an earlier customer with this name. False if the customer is not another one.
 */
async function forgetEarlierCustomer(
  { store, files }: { store: Store; files: RenderedFiles },
  username: string,
  { password, expiry_date }: { password?: string; expiry_date?: string },
  line: string | undefined,
): Promise<boolean> {
  if (line === undefined || password === undefined || expiry_date === undefined) return false;
  const isSame = store.find(username)?.password === password;
  if (isSame || !store.rows.isOfAnother(username, line)) return false;
  store.remove(username);
  await files.render();
  return store.add({ username, password, expiry_date }, line);
}

function expiryField({ expiry_date }: Pick<Account, 'expiry_date'>) {
  return { expiryDate: expiry_date.split('-').reverse().join('-') };
}

/**
 * The accounts with these names and their passwords, for a panel that takes them over, and which of the names the
 * operator has in rows of their own.
 */
async function showUsers(store: Store, files: RenderedFiles, { usernames }: Body): Promise<Reply> {
  const areNames = Array.isArray(usernames) && usernames.every((name) => typeof name === 'string');
  if (!areNames || usernames.length > USERS_SHOWN) {
    throw new Refusal(400, `usernames must be a list of at most ${USERS_SHOWN} strings`);
  }
  const users = usernames.flatMap((username: string) => {
    const account = username.isWellFormed() ? store.find(username) : undefined;
    return account ? [{ username, password: account.password, ...expiryField(account) }] : [];
  });
  const by_hand: string[] = [];
  for (const username of usernames.filter((name: string) => name.isWellFormed())) {
    if ((await files.keptByHand(username)) !== undefined) by_hand.push(username);
  }
  return { status: 200, body: { message: 'OK', users, by_hand } };
}

type Reason = 'password_differs' | 'switched_off' | 'no_row' | 'twice';

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
      found.flatMap(({ file, rows }) =>
        rows.map(({ name, password, rest }) => {
          const shown = shownBy(password, account.password) ?? shownBy(password, account.before);
          return { file, rest, spelling: { name: shownBy(name, username), password: shown } };
        }),
      ),
    );
    // The row is removed, and its settings come back with the account.
    if (account.isGone) store.remove(username);
    return undefined;
  }
  if (store.has(username) || account.isGone) return undefined;
  return (await files.isRowInComment(username)) ? 'switched_off' : 'no_row';
}

/**
 * Calls that change no file: the list of sessions (404 `NO_SESSIONS`), and the end of an account's (404
 * `CANNOT_END_SESSIONS`, 409 `SESSIONS_HIDDEN`).
 */
function sessionCalls({ store, requireOwn }: OwnFolder, sessions: Sessions): [string, Call][] {
  const what = 'What it knows may not be what is stored there.';

  async function list(query: URLSearchParams): Promise<Reply> {
    requireOwn(what);
    const page = await sessions.page(query.get('after'));
    return { status: 200, body: { message: 'OK', ...page } };
  }

  async function end(body: Body): Promise<Reply> {
    const username = textOf(body, 'username');
    const line = checkLine(textOf(body, 'line'));
    if (!username) throw new Refusal(400, 'Username is required');
    requireOwn(what);
    if (!username.isWellFormed() || !store.has(username)) throw notFound();
    return { status: 200, body: { message: 'OK', ended: await sessions.end(username, line) } };
  }

  return [
    ['/sessions', { method: 'GET', run: (_, query) => list(query) }],
    ['/end-sessions', { method: 'POST', run: (readBody) => readBody().then(end) }],
  ];
}

type Change = [path: string, method: Call['method'], work: (body: Body) => Promise<Reply>];

function accountChanges(
  store: Store,
  { files, deliver }: Pick<Delivery, 'files' | 'deliver'>,
): Change[] {
  async function requireOwn(username: string): Promise<void> {
    await refuseKeptByHand(files, username);
    if (!username.isWellFormed() || !store.has(username)) throw notFound();
  }

  async function addUser(body: Body): Promise<Reply> {
    const { account, line, formerly } = addedOf(body);
    const { username } = account;
    await refuseKeptByHand(files, username);
    // A row with the former name lets the customer in.
    if (formerly !== undefined) await refuseKeptByHand(files, formerly);
    await refuseSharedByHand(files, username);
    // The operator's settings of the row under the former name are read, also of a deleted one, because the file may
    // still have it. An unreadable file is reported when the new row is written.
    if ((store.rows.nameOfLine(line, formerly) ?? username) !== username) {
      await files.render().catch(() => {});
    }
    if (!store.add(account, line, formerly)) throw refusalOf(409, 'USERNAME_EXISTS');
    return changed(201, 'User added successfully', await deliver());
  }

  async function editUser(body: Body): Promise<Reply> {
    const username = textOf(body, 'username');
    const password = textOf(body, 'newPassword');
    const expiryDate = textOf(body, 'newExpiryDate');
    const line = checkLine(textOf(body, 'line'));
    if (!username) throw new Refusal(400, 'Username is required');
    if (!password && !expiryDate) {
      const message = 'At least one field to update (password or expiry date) is required';
      throw new Refusal(400, message);
    }
    const changes = {
      ...(password !== undefined && { password: checkPassword(password) }),
      ...(expiryDate !== undefined && { expiry_date: checkExpiryDate(expiryDate) }),
    };
    await requireOwn(username);
    const isAnew = await forgetEarlierCustomer({ store, files }, username, changes, line);
    if (!isAnew && !store.edit(username, changes, line)) throw notFound();
    return changed(200, 'User updated successfully', await deliver());
  }

  async function deleteUser(body: Body): Promise<Reply> {
    const username = textOf(body, 'username');
    if (!username) throw new Refusal(400, 'Username is required');
    await requireOwn(username);
    if (!store.remove(username)) throw notFound();
    return changed(200, 'User deleted successfully', await deliver());
  }

  /**
   * Makes the operator's rows of these accounts the agent's, if they have the account's password or the one that it was
   * adopted with. Such a row is recorded, and from then on edited in place, with all its settings.
   */
  async function takeOver({ accounts }: Body): Promise<Reply> {
    if (!Array.isArray(accounts) || accounts.length > ACCOUNTS_AT_ONCE) {
      throw new Refusal(400, `accounts must be a list of at most ${ACCOUNTS_AT_ONCE}`);
    }
    const taken: string[] = [];
    const refused: { username: string; reason: Reason }[] = [];
    for (const account of accounts.map(accountOf)) {
      const { username } = account;
      const reason = await takeOne(account, store, files);
      if (reason) refused.push({ username, reason });
      else taken.push(username);
    }
    const { status, body } = changed(200, 'Rows taken over', await deliver());
    return { status, body: { ...body, taken, refused } };
  }

  return [
    ['/add-user', 'POST', addUser],
    ['/edit-user', 'PUT', editUser],
    ['/take-over', 'POST', takeOver],
    ['/delete-user', 'DELETE', deleteUser],
  ];
}

/** The agent's HTTP API, by path. */
export function createCalls(
  folder: OwnFolder,
  { files, reloads, deliver, sessions, endDay }: Delivery & { sessions: Sessions; endDay: EndDay },
  about: () => Promise<Reply['body']>,
): ReadonlyMap<string, Call> {
  const { store } = folder;

  /** From now on, accounts end by the day of this machine's clock, which an administrator has seen. */
  async function confirmDay(body: Body): Promise<Reply> {
    if (!endDay.confirm(textOf(body, 'day') ?? '')) {
      throw new Refusal(409, 'The card server already has another date');
    }
    return changed(200, 'Date confirmed', await deliver());
  }

  /** Has the card server read its files now, whatever the last attempt ended in. */
  async function readAgain(): Promise<Reply> {
    const { applied, why } = await reloads.readAgain();
    const message = why ?? 'The card server has read its files';
    return { status: 200, body: { applied, message, reload: reloads.state() } };
  }

  /** Usernames and expiry dates, never passwords: enough for a panel to compare with its own lines. */
  function listUsers(query: URLSearchParams): Reply {
    const accounts = store.listAfter(query.get('after') ?? '', USERS_A_PAGE + 1);
    const shown = accounts.slice(0, USERS_A_PAGE);
    const users = shown.map((account) => ({ username: account.username, ...expiryField(account) }));
    const next = accounts.length > USERS_A_PAGE ? (shown.at(-1)?.username ?? null) : null;
    return { status: 200, body: { message: 'OK', users, next, shows_users: true } };
  }

  /** Refuses if the folder was replaced, since the accounts in memory are then not those on disk. */
  function read(reply: () => Reply): Reply {
    folder.requireOwn('What it knows may not be what is stored there.');
    return reply();
  }

  /** Checks the folder before and after the change, because it may be replaced in between. */
  async function change(work: (body: Body) => Promise<Reply>, readBody: () => Promise<Body>) {
    const body = await readBody();
    folder.requireOwn('Nothing was changed.');
    try {
      return await work(body);
    } finally {
      folder.requireOwn('The change may be lost.', 'FOLDER_REPLACED_MEANWHILE');
    }
  }

  async function show(body: Body): Promise<Reply> {
    const shown = await showUsers(store, files, body);
    return read(() => shown);
  }

  async function tellAbout(headers: IncomingHttpHeaders): Promise<Reply> {
    endDay.tell(String(headers['panel-day']));
    const body = await about();
    return read(() => ({ status: 200, body }));
  }

  const changes: Change[] = [
    ['/reload', 'POST', readAgain],
    ['/confirm-day', 'POST', confirmDay],
    ...accountChanges(store, { files, deliver }),
  ];
  const health: Reply = { status: 200, body: { status: 'ok', message: 'OK' } };

  // A Map, because a plain object would also find inherited properties such as "constructor".
  return new Map<string, Call>([
    ['/health', { method: 'GET', open: true, run: () => read(() => health) }],
    ['/', { method: 'GET', run: (_, __, headers) => tellAbout(headers) }],
    ['/users', { method: 'GET', run: (_, query) => read(() => listUsers(query)) }],
    ['/show-users', { method: 'POST', run: (readBody) => readBody().then(show) }],
    ...sessionCalls(folder, sessions),
    ...changes.map(([path, method, work]): [string, Call] => {
      return [path, { method, run: (readBody) => change(work, readBody) }];
    }),
  ]);
}
