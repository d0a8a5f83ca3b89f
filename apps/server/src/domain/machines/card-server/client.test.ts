import type { Rights } from '@linekeeper/contract/servers/rights.ts';
import { afterEach, describe, expect, test } from 'vitest';
import type { Outbound } from '../../../platform/http-client/request.ts';
import { bodyOf, applyWanted as bring, type CardServer, call, type WantedLine } from './client.ts';
import {
  cardServerAt,
  closedPort,
  httpText,
  outbound,
  type SeenCall,
  startApi,
  startCanned,
  startTcp,
  stopServers,
} from './testing/servers.ts';

const WANTED = { password: 'line-secret', expiry_date: '2027-03-09' };
const ADD = { username: 'anna', password: 'line-secret', expiryDate: '09-03-2027' };
const EDIT = { username: 'anna', newPassword: 'line-secret', newExpiryDate: '09-03-2027' };
const AUTH = `Basic ${Buffer.from('panel:server-secret').toString('base64')}`;

const summary = (calls: SeenCall[]) => calls.map(({ method, url }) => `${method} ${url}`);
const refused = (reason: string, fault?: number) => ({ ok: false, kind: 'refused', reason, fault });
const unreachable = (reason: string) => ({ ok: false, kind: 'unreachable', reason });

afterEach(stopServers);

const applyWanted = (
  limits: Outbound,
  server: CardServer,
  username: string,
  wanted: WantedLine | null,
  { signal, ...options }: { onServer: boolean; signal?: AbortSignal; rightsBefore?: Rights },
) => bring({ outbound: limits, server, signal }, username, wanted, options);

describe('the calls', () => {
  test('match the API', {
    tags: ['spec:7.36', 'spec:7.37', 'spec:7.39', 'spec:7.40', 'spec:7.41'],
  }, async () => {
    const { calls, cardServer } = await startApi(() => ({ status: 200, json: {} }));
    const called = { outbound, server: cardServer };
    const change = (name: 'add' | 'edit' | 'delete', wanted: Partial<WantedLine>) =>
      call(called, name, { body: bodyOf(name, { username: 'anna', ...wanted }) });
    await call(called, 'health');
    await call(called, 'auth');
    await change('add', WANTED);
    await change('edit', WANTED);
    await change('edit', { password: 'p' });
    await change('edit', { expiry_date: '2099-12-31' });
    await change('delete', {});
    expect(
      calls.map(({ method, url, headers, body }) => [method, url, headers.authorization, body]),
    ).toEqual([
      ['GET', '/health', undefined, null],
      ['GET', '/', AUTH, null],
      ['POST', '/add-user', AUTH, ADD],
      ['PUT', '/edit-user', AUTH, EDIT],
      ['PUT', '/edit-user', AUTH, { username: 'anna', newPassword: 'p' }],
      ['PUT', '/edit-user', AUTH, { username: 'anna', newExpiryDate: '31-12-2099' }],
      ['DELETE', '/delete-user', AUTH, { username: 'anna' }],
    ]);
  });
});

/** Starts a card server that stores its users. The test chooses the wording of its replies. */
function startKeeping(users: Map<string, object>, missing: object, existing = { status: 409 }) {
  return startApi(({ method, body }) => {
    const account = body as { username: string };
    const isKnown = users.has(account.username);
    if (method === 'POST' && isKnown) return { json: { message: 'User exists' }, ...existing };
    if (method !== 'POST' && !isKnown) return { status: 404, json: missing };
    if (method === 'DELETE') users.delete(account.username);
    else users.set(account.username, account);
    return { status: 200, json: { message: 'done' } };
  });
}

describe('applyWanted reaches the wanted state', () => {
  const notFound = { message: 'User not found' };
  const expectation: [boolean, boolean, string[]][] = [
    [false, false, ['POST /add-user']],
    [true, true, ['PUT /edit-user']],
    [false, true, ['POST /add-user', 'PUT /edit-user']],
    [true, false, ['PUT /edit-user', 'POST /add-user']],
  ];

  test.each(expectation)('believed there %s, there %s', async (onServer, isThere, expected) => {
    const users = new Map<string, object>(isThere ? [['anna', {}]] : []);
    const { calls, cardServer } = await startKeeping(users, notFound);
    const result = await applyWanted(outbound, cardServer, 'anna', WANTED, { onServer });
    expect(result).toEqual({ ok: true });
    expect(summary(calls)).toEqual(expected);
    expect(users.get('anna')).toEqual(expected.at(-1) === 'POST /add-user' ? ADD : EDIT);
  });

  test.each([true, false])('gone, there before: %s', async (isThere) => {
    const users = new Map<string, object>(isThere ? [['anna', {}]] : []);
    const { calls, cardServer } = await startKeeping(users, notFound);
    const result = await applyWanted(outbound, cardServer, 'anna', null, { onServer: true });
    expect(result).toEqual({ ok: true });
    expect(summary(calls)).toEqual(['DELETE /delete-user']);
  });

  test.each([
    'User anna already exists',
    'This name exists already',
    'Duplicate entry',
    'user ALREADY EXISTS!',
  ])('"%s" with a 400 becomes an edit', async (message) => {
    const { calls, cardServer } = await startApi(({ method }) =>
      method === 'POST' ? { status: 400, json: { message } } : { status: 200, json: {} },
    );
    const result = await applyWanted(outbound, cardServer, 'anna', WANTED, { onServer: false });
    expect(result).toEqual({ ok: true });
    expect(calls).toHaveLength(2);
  });

  test.each(['User not found', 'anna does not exist', 'Unknown user', 'No such account'])(
    '"%s" with a 400 means deleted',
    async (message) => {
      const { cardServer } = await startApi(() => ({ status: 400, json: { message } }));
      const result = await applyWanted(outbound, cardServer, 'anna', null, { onServer: true });
      expect(result).toEqual({ ok: true });
    },
  );

  test('a line named like an error message counts as deleted only when it is', async () => {
    const excuse = 'Not  Found';
    const pushAgainst = async (message: string) => {
      const { cardServer } = await startApi(() => ({ status: 423, json: { message } }));
      return applyWanted(outbound, cardServer, excuse, null, { onServer: true });
    };
    expect(await pushAgainst(`${excuse} is locked`)).toEqual(refused('Not Found is locked'));
    expect(await pushAgainst(`${excuse} does not exist`)).toEqual({ ok: true });
  });

  test('204 without a body is success', async () => {
    const { cardServer } = await startApi(() => ({ status: 204 }));
    const result = await applyWanted(outbound, cardServer, 'anna', null, { onServer: true });
    expect(result).toEqual({ ok: true });
  });

  test('a reply lost after success is made good by repeating', async () => {
    const users = new Map<string, object>();
    const lossy = await startTcp((socket) => {
      socket.once('data', () => {
        users.set('anna', ADD);
        socket.resetAndDestroy();
      });
    });
    const server = cardServerAt(lossy.port);
    const first = await applyWanted(outbound, server, 'anna', WANTED, { onServer: false });
    expect(first).toEqual(unreachable('connection reset'));
    const healed = await startKeeping(users, notFound);
    const options = { onServer: false };
    const second = await applyWanted(outbound, healed.cardServer, 'anna', WANTED, options);
    expect(second).toEqual({ ok: true });
    expect(users.get('anna')).toEqual(EDIT);
  });
});

describe('rights of a plan', () => {
  const rights = { oscam: { group: '1,2' } };
  const rightsBefore = {
    oscam: { caid: '0500' },
    cccam: { uphops: 1, shareemus: false, allowemm: true },
  };
  const line = '11111111-2222-4333-8444-555555555555';
  const sent = { oscam: { group: '1,2', caid: null }, cccam: null };

  test.each(['add', 'edit'])(
    'an agent gets them with %s, and says that it took them',
    async (name) => {
      const { calls, cardServer } = await startApi(() => ({ status: 200, json: { rights: true } }));
      const options = { onServer: name === 'edit', rightsBefore };
      const wanted = { ...WANTED, line, rights };
      expect(await applyWanted(outbound, cardServer, 'anna', wanted, options)).toEqual({
        ok: true,
      });
      expect(calls.map(({ body }) => body)).toMatchObject([{ line, rights: sent }]);
    },
  );

  test('an agent that takes none is too old for plans', async () => {
    const { cardServer } = await startApi(() => ({ status: 200, json: { applied: true } }));
    const put = (wanted: WantedLine) =>
      applyWanted(outbound, cardServer, 'anna', wanted, { onServer: true });
    expect(await put({ ...WANTED, line, rights })).toMatchObject({
      ok: false,
      finding: { code: 'AGENT_WITHOUT_RIGHTS' },
    });
    expect(await put({ ...WANTED, line, rights: {} })).toEqual({ ok: true });
  });

  test('other APIs, which are not told the line, get the specification’s body alone', async () => {
    const { calls, cardServer } = await startApi(() => ({ status: 200, json: {} }));
    for (const onServer of [false, true]) {
      const options = { onServer, rightsBefore };
      const result = await applyWanted(
        outbound,
        cardServer,
        'anna',
        { ...WANTED, rights },
        options,
      );
      expect(result).toEqual({ ok: true });
    }
    expect(calls.map(({ body }) => body)).toEqual([ADD, EDIT]);
  });
});

describe('applyWanted reports', () => {
  test.each<[string, { status: number; json?: object; text?: string }, string]>([
    ['a bare 404 page', { status: 404, text: '<h1>Not Found</h1>' }, ''],
    ['an empty 404', { status: 404 }, ''],
    [
      'a JSON 404 about the path',
      { status: 404, json: { message: 'Route DELETE:/delete-user not found' } },
      'Route DELETE:/delete-user not found',
    ],
    [
      'a 401 that knows no such user',
      { status: 401, json: { message: 'No such user' } },
      'No such user',
    ],
    [
      'a 403 that finds nobody',
      { status: 403, json: { message: 'User not found' } },
      'User not found',
    ],
    [
      'a 500 that found nothing',
      { status: 500, json: { message: 'File not found' } },
      'File not found',
    ],
    ['a 200 web page', { status: 200, text: '<html>Sign in to the hotel network</html>' }, ''],
    ['an empty 200', { status: 200 }, ''],
    ['a redirect', { status: 302 }, ''],
    ['a message that is no text', { status: 400, json: { message: { a: 1 } } }, ''],
  ])('%s as refused, and whether the server is at fault', async (_name, reply, reason) => {
    // Only the last of these replies is about the line.
    const fault = reply.status === 400 ? undefined : reply.status;
    const { calls, cardServer } = await startApi(() => reply);
    for (const wanted of [null, WANTED]) {
      const result = await applyWanted(outbound, cardServer, 'anna', wanted, { onServer: true });
      expect(result).toEqual(refused(reason, fault));
    }
    expect(calls).toHaveLength(2);
  });

  test('a conflict on delete or edit as refused', async () => {
    const { calls, cardServer } = await startApi(() => ({
      status: 409,
      json: { message: 'Busy' },
    }));
    for (const wanted of [null, WANTED]) {
      const result = await applyWanted(outbound, cardServer, 'anna', wanted, { onServer: true });
      expect(result).toEqual(refused('Busy'));
    }
    expect(calls).toHaveLength(2);
  });

  test("a name that is taken and not found is somebody else's: it is taken", async () => {
    const { calls, cardServer } = await startApi(({ method }) =>
      method === 'POST'
        ? { status: 409, json: { message: 'Already exists' } }
        : { status: 404, json: { message: 'User not found' } },
    );
    const push = (onServer: boolean) =>
      applyWanted(outbound, cardServer, 'anna', WANTED, { onServer });
    expect(await push(true)).toEqual(refused('Already exists'));
    expect(await push(false)).toEqual(refused('Already exists'));
    expect(calls).toHaveLength(4);
  });

  test('no secret that the server echoes', async () => {
    const { cardServer } = await startApi(({ headers, body }) => ({
      status: 400,
      json: { message: `bad ${headers.authorization} server-secret ${JSON.stringify(body)}` },
    }));
    const options = { onServer: false };
    const result = await applyWanted(outbound, cardServer, 'anna', WANTED, options);
    expect(result).toEqual(
      refused('bad Basic *** *** {"username":"anna","password":"***","expiryDate":"09-03-2027"}'),
    );
  });

  test('what broke the connection', async () => {
    const push = (port: number) =>
      applyWanted(outbound, cardServerAt(port), 'anna', WANTED, { onServer: false });
    expect(await push(await closedPort())).toEqual(unreachable('connection refused'));
    const cut = await startCanned(httpText(200, '{"message":"ok"}').slice(0, -3));
    expect(await push(cut.port)).toEqual(unreachable('connection closed early'));
    const huge = await startCanned(httpText(200, 'a'.repeat(70_000)));
    expect(await push(huge.port)).toEqual(unreachable('response too large'));
  });

  test('a forbidden host', async () => {
    const server = { ...cardServerAt(80), host_ip: '169.254.169.254' };
    const result = await applyWanted(outbound, server, 'anna', null, { onServer: true });
    expect(result).toEqual(unreachable('host not found or not allowed'));
  });

  test('the deadline of both calls together', async () => {
    const { calls, cardServer } = await startApi(async () => {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return { status: 404, json: { message: 'User not found' } };
    });
    // Each call alone would finish before the deadline.
    const hasty = { ...outbound, deadlineMs: 3000 };
    const result = await applyWanted(hasty, cardServer, 'anna', WANTED, { onServer: true });
    expect(result).toEqual(unreachable('connection timed out'));
    expect(summary(calls)).toEqual(['PUT /edit-user', 'POST /add-user']);
  });

  test('a cancelled push', async () => {
    const { port } = await startTcp(() => {});
    const options = { onServer: false, signal: AbortSignal.abort() };
    const result = await applyWanted(outbound, cardServerAt(port), 'anna', WANTED, options);
    expect(result).toEqual(unreachable('request cancelled'));
  });
});
