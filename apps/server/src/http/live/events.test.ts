import { setTimeout as sleep } from 'node:timers/promises';
import { BACK_MARGIN_MS } from '@linekeeper/contract/live.ts';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { TestClient } from '../../testing/client.ts';
import { newLine } from '../../testing/lines.ts';
import {
  databases,
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { type EventStream, openEventStream } from '../../testing/wire/streams.ts';

describe.each(databases)('live changes on %s', (kind) => {
  let panel: TestPanel;
  let agent: Awaited<ReturnType<typeof startTestAgent>>;
  let top: TestAccount;
  let child: TestAccount;
  let stranger: TestAccount;
  let startedAt: number;
  const open: EventStream[] = [];
  beforeAll(async () => {
    agent = await startTestAgent();
    panel = await startTestPanel(kind);
    startedAt = performance.now();
    await panel.addServer(agent.url);
    top = await panel.reseller();
    child = await panel.below(top, { credits: 20 });
    stranger = await panel.reseller();
  });
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close();
  });

  async function listen(client: TestClient, back?: number): Promise<EventStream> {
    const stream = await openEventStream(client, back);
    open.push(stream);
    return stream;
  }
  async function anotherSession({ email, password }: TestAccount): Promise<TestClient> {
    const client = new TestClient(panel.url);
    await client.signIn(email, password);
    return client;
  }
  const run = (statement: ReturnType<typeof sql>) => statement.execute(panel.services.db);

  test('a sale is heard by the seller elsewhere, by those above and by administrators', {
    tags: ['spec:4.14', 'spec:7.14'],
  }, async () => {
    const listeners = await Promise.all(
      [await anotherSession(child), top.client, panel.admin].map((client) => listen(client)),
    );
    const outsider = await listen(stranger.client);
    const { body } = await child.client.post('/api/lines', newLine('heard'));
    for (const stream of listeners) {
      await stream.hears({ table: 'users', op: 'INSERT', id: body.line.id });
      // The successful push changes the line's sync state.
      await stream.hears({ table: 'users', op: 'UPDATE', id: body.line.id });
      for (const event of stream.events) expect(Object.keys(event)).toEqual(['table', 'op', 'id']);
    }
    await listeners[0]?.hears({ table: 'auth_users', op: 'UPDATE', id: child.id });

    // The stranger receives only later events.
    const { body: own } = await stranger.client.post('/api/lines', newLine('own'));
    await outsider.hears({ table: 'users', op: 'INSERT', id: own.line.id });
    const heard = JSON.stringify(outsider.events);
    for (const id of [body.line.id, child.id, top.id]) expect(heard).not.toContain(id);
  });

  test('what changed while a page was opening is told to it, and to nobody else', async () => {
    // The panel knows only announcements since its start, and the age of a page is rounded up.
    await sleep(Math.max(0, startedAt + BACK_MARGIN_MS + 1000 - performance.now()));
    const pageOpenedAt = performance.now();
    const early = await listen(panel.admin);
    const { body } = await child.client.post('/api/lines', newLine('in-the-gap'));
    const inserted = { table: 'users', op: 'INSERT', id: body.line.id } as const;
    // Once one stream has received the event, a later stream gets it only through catching up.
    await early.hears(inserted);

    const back = Math.ceil(performance.now() - pageOpenedAt);
    const opened = await listen(child.client, back);
    const outsider = await listen(stranger.client, back);
    const unsure = await listen(child.client, 3_600_000);
    await opened.hears(inserted);
    await expect.poll(opened.isCaughtUp).toBe(true);

    // Later events reach all accounts concerned.
    const { body: own } = await stranger.client.post('/api/lines', newLine('after-the-gap'));
    await outsider.hears({ table: 'users', op: 'INSERT', id: own.line.id });
    const { body: next } = await child.client.post('/api/lines', newLine('after-the-gap-too'));
    await unsure.hears({ table: 'users', op: 'INSERT', id: next.line.id });
    expect(JSON.stringify(outsider.events)).not.toContain(body.line.id);
    // After this time the missed events are unknown, and the page must refetch.
    expect(unsure.events).not.toContainEqual(inserted);
    expect(unsure.isCaughtUp()).toBe(false);
  });

  test('a refused sale is heard by nobody', async () => {
    const stream = await listen(panel.admin);
    await child.client.post('/api/lines', newLine('heard'));
    const { body } = await child.client.post('/api/lines', newLine('next'));
    await stream.hears({ table: 'users', op: 'INSERT', id: body.line.id });
    expect(
      stream.events.filter(({ op, table }) => op === 'INSERT' && table === 'users'),
    ).toHaveLength(1);
  });

  // Changes arrive in different ways on the two databases, but the access is checked afterwards, in the same way.
  if (kind === 'embedded') return;

  test('an account below receives nothing of the one above', async () => {
    const below = await listen(child.client);
    const { body } = await top.client.post('/api/lines', newLine('above'));
    const { body: own } = await child.client.post('/api/lines', newLine('below'));
    await below.hears({ table: 'users', op: 'INSERT', id: own.line.id });
    expect(JSON.stringify(below.events)).not.toContain(body.line.id);
  });

  test('a line that changes hands is heard by both', async () => {
    const { body } = await child.client.post('/api/lines', newLine('handed-over'));
    const streams = await Promise.all(
      [child.client, stranger.client].map((client) => listen(client)),
    );
    await run(sql`update users set owner_id = ${stranger.id} where id = ${body.line.id}`);
    for (const stream of streams) {
      await stream.hears({ table: 'users', op: 'UPDATE', id: body.line.id });
    }
  });

  test('those who sell hear of servers; a plain user hears of itself alone', {
    tags: ['spec:7.11'],
  }, async () => {
    const user = await panel.reseller({ credits: 0, group_id: '3' });
    const [selling, plain] = await Promise.all(
      [stranger.client, user.client].map((client) => listen(client)),
    );
    const server = await panel.addServer(agent.url, 'Another');
    await selling?.hears({ table: 'cccam_servers', op: 'INSERT', id: server.id });
    await panel.admin.delete(`/api/servers/${server.id}`);
    await selling?.hears({ table: 'cccam_servers', op: 'DELETE', id: server.id });
    await user.client.patch('/api/me', { full_name: 'New Name' });
    await plain?.hears({ table: 'auth_users', op: 'UPDATE', id: user.id });
    expect(plain?.events.every(({ id }) => id === user.id)).toBe(true);
  });

  describe('a stream ends at once', () => {
    async function endsBy(account: TestAccount, act: () => Promise<unknown>): Promise<void> {
      const [stream, bystander] = [await listen(account.client), await listen(top.client)];
      await act();
      await expect.poll(stream.hasEnded).toBe(true);
      expect(bystander.hasEnded()).toBe(false);
    }

    test('when its session signs out; another session of the account goes on', {
      tags: ['spec:7.5'],
    }, async () => {
      const account = await panel.reseller();
      const other = await listen(await anotherSession(account));
      await endsBy(account, () => account.client.post('/api/auth/sign-out'));
      expect(other.hasEnded()).toBe(false);
      expect((await account.client.get('/api/events')).status).toBe(401);
    });

    test('when its account is banned, and no new one opens', async () => {
      const account = await panel.reseller();
      const ban = sql`update auth_users set banned = true where id = ${account.id}`;
      await endsBy(account, () => run(ban));
      expect((await account.client.get('/api/events')).status).toBe(401);
    });

    test('when its account changes groups; the next one hears what is now allowed', async () => {
      const account = await panel.below(top, { credits: 4 });
      const demote = sql`update auth_users set group_id = '3' where id = ${account.id}`;
      await endsBy(account, () => run(demote));
      const stream = await listen(account.client);
      await run(sql`update auth_users set full_name = 'x' where id = ${account.id}`);
      await stream.hears({ table: 'auth_users', id: account.id });
    });

    test('when its group loses a permission', async () => {
      await run(sql`insert into groups (id, name, permissions)
        values ('9', 'Viewers', array['view_users'])`);
      const account = await panel.reseller({ credits: 0, group_id: '9' });
      const reduce = sql`update groups set permissions = '{}' where id = '9'`;
      await endsBy(account, () => run(reduce));
    });

    test('when the password is changed elsewhere', async () => {
      const account = await panel.reseller();
      const elsewhere = await anotherSession(account);
      await endsBy(account, () =>
        elsewhere.post('/api/auth/change-password', {
          current_password: account.password,
          new_password: 'a brand new password',
        }),
      );
    });
  });

  test('nobody listens without a session', async () => {
    expect(await panel.anonymous().get('/api/events')).toMatchObject({
      status: 401,
      body: { code: 'NO_AUTHENTICATED_USER' },
    });
  });
});
