import { Refusal } from './refusal.ts';
import type { RenderedFiles } from './rendered-files.ts';
import { checkExpiryDate, checkPassword, checkUsername } from './rules.ts';
import type { Store } from './store.ts';

/** With the longest of names a page stays below the 64 KiB that a panel reads. */
const USERS_A_PAGE = 300;

export type Body = Record<string, unknown>;
export type Reply = { status: number; body: { message: string; [field: string]: unknown } };

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Answers without a name and password. */
  open?: true;
  run(readBody: () => Promise<Body>, query: URLSearchParams): Promise<Reply> | Reply;
};

/** A field's text; undefined where it is absent. */
function textOf(body: Body, field: string): string | undefined {
  if (!Object.hasOwn(body, field)) return undefined;
  const value = body[field];
  if (typeof value !== 'string') throw new Refusal(400, `${field} must be a string`);
  return value;
}

function ok(message: string): Reply {
  return { status: 200, body: { message } };
}

/** The API of spec section 7, by path. */
export function createCalls(
  store: Store,
  files: RenderedFiles,
  version: string,
): ReadonlyMap<string, Call> {
  /** Known here, and not kept by hand as well: otherwise our change would not be the last word. */
  async function requireOwn(username: string): Promise<void> {
    if (!username.isWellFormed() || !store.has(username)) throw new Refusal(404, 'User not found');
    const file = await files.keptByHand(username);
    if (file !== undefined) {
      const message = `This username also stands in ${file} outside the linekeeper block. Remove it there first.`;
      throw new Refusal(409, message);
    }
  }

  async function addUser(body: Body): Promise<Reply> {
    const username = textOf(body, 'username');
    const password = textOf(body, 'password');
    const expiryDate = textOf(body, 'expiryDate');
    if (!username || !password) throw new Refusal(400, 'Username and password are required');
    const account = {
      username: checkUsername(username),
      password: checkPassword(password),
      expiry_date: checkExpiryDate(expiryDate ?? ''),
    };
    // The operator's own accounts count as existing: card servers do not tell two of a name apart.
    const taken = (await files.keptByHand(username)) !== undefined || !store.add(account);
    if (taken) {
      throw new Refusal(409, 'Username already exists. Please choose a different username.');
    }
    await files.render();
    return { status: 201, body: { message: 'User added successfully' } };
  }

  async function editUser(body: Body): Promise<Reply> {
    const username = textOf(body, 'username');
    const password = textOf(body, 'newPassword');
    const expiryDate = textOf(body, 'newExpiryDate');
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
    if (!store.edit(username, changes)) throw new Refusal(404, 'User not found');
    await files.render();
    return ok('User updated successfully');
  }

  async function deleteUser(body: Body): Promise<Reply> {
    const username = textOf(body, 'username');
    if (!username) throw new Refusal(400, 'Username is required');
    await requireOwn(username);
    if (!store.remove(username)) throw new Refusal(404, 'User not found');
    await files.render();
    return ok('User deleted successfully');
  }

  /** Names and days, never passwords: what a panel needs to see whether it and this agent agree. */
  function listUsers(query: URLSearchParams): Reply {
    const accounts = store.listAfter(query.get('after') ?? '', USERS_A_PAGE + 1);
    const shown = accounts.slice(0, USERS_A_PAGE);
    const users = shown.map(({ username, expiry_date }) => ({
      username,
      expiryDate: expiry_date.split('-').reverse().join('-'),
    }));
    const next = accounts.length > USERS_A_PAGE ? (shown.at(-1)?.username ?? null) : null;
    return { status: 200, body: { message: 'OK', users, next } };
  }

  // A Map, so that no path finds what every object has.
  return new Map<string, Call>([
    [
      '/health',
      {
        method: 'GET',
        open: true,
        run: () => ({ status: 200, body: { status: 'ok', message: 'OK' } }),
      },
    ],
    [
      '/',
      {
        method: 'GET',
        run: () => ({ status: 200, body: { version, message: 'Linekeeper agent' } }),
      },
    ],
    ['/users', { method: 'GET', run: (_, query) => listUsers(query) }],
    ['/add-user', { method: 'POST', run: async (readBody) => addUser(await readBody()) }],
    ['/edit-user', { method: 'PUT', run: async (readBody) => editUser(await readBody()) }],
    ['/delete-user', { method: 'DELETE', run: async (readBody) => deleteUser(await readBody()) }],
  ]);
}
