// @module-tag thorough
import { createServer, type Socket } from 'node:net';
import { afterAll, expect, test, vi } from 'vitest';
import { TestClient } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { startMailbox } from '../testing/mail/mailbox.ts';
import { databases } from '../testing/panel.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  type PanelProcess,
  spawnPanel,
} from '../testing/process/process.ts';

vi.setConfig({ testTimeout: 180_000 });
afterAll(endPanels);

const PATIENCE_MS = 90_000;
const password = 'correct horse battery';
const signUp = ({ url }: PanelProcess, email: string) =>
  new TestClient(url).send('POST', '/api/auth/sign-up/email', { email, password });

/** Accepts connections but never replies, like an overloaded mail server. */
async function startSilentServer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: Number((server.address() as { port: number }).port),
    sockets,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

test.each(databases)(
  'on %s the mail of a panel that is killed before it was sent arrives after the next start, once',
  async (kind) => {
    const database = await makeMigratedDatabase(kind);
    const silent = await startSilentServer();
    const env = { ...database.env, ...FIRST_START, SMTP_URL: `smtp://127.0.0.1:${silent.port}` };
    const killed = await spawnPanel(env);
    const email = 'newcomer@panel.example';
    expect((await signUp(killed, email)).status).toBe(200);
    await eventually(() => expect(silent.sockets).toHaveLength(1), PATIENCE_MS);
    killed.child.kill('SIGKILL');
    await killed.ended;
    await silent.close();

    const mailbox = await startMailbox(silent.port);
    const next = await spawnPanel(env);
    const token = await mailbox.tokenFor(email);
    // Later mails are queued behind it.
    expect((await signUp(next, 'second@panel.example')).status).toBe(200);
    await mailbox.tokenFor('second@panel.example');
    expect(mailbox.lettersTo(email)).toHaveLength(1);
    const confirm = { token, password };
    expect(
      (await new TestClient(next.url).send('POST', '/api/auth/confirm-email', confirm)).status,
    ).toBe(200);
    expect(killed.stdout() + next.stdout() + next.stderr()).not.toContain(token);
    next.child.kill('SIGTERM');
    expect((await next.ended).code).toBe(0);
    await mailbox.close();
    await database.remove();
  },
);

test('two panels send each mail once', async () => {
  const database = await makeMigratedDatabase('postgres');
  const mailbox = await startMailbox();
  const env = { ...database.env, ...FIRST_START, SMTP_URL: mailbox.url };
  const [a, b] = [await spawnPanel(env), await spawnPanel(env)];
  const names = Array.from({ length: 8 }, (_, n) => `guest-${n}@panel.example`);
  await Promise.all(names.map((email, n) => signUp(n % 2 ? a : b, email)));
  await Promise.all(names.map((email) => mailbox.tokenFor(email)));
  expect(mailbox.letters).toHaveLength(names.length);

  const forgetful = names.slice(0, 4);
  const ask = ({ url }: PanelProcess, email: string) =>
    new TestClient(url).send('POST', '/api/auth/request-password-reset', { email });
  await Promise.all(forgetful.map((email, n) => ask(n % 2 ? b : a, email)));
  const tokens = await Promise.all(
    forgetful.map((email) => mailbox.tokenFor(email, '/reset-password')),
  );
  for (const { child, ended } of [a, b]) {
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  }
  expect(mailbox.letters).toHaveLength(names.length + forgetful.length);
  const said = [a, b].map(({ stdout, stderr }) => stdout() + stderr()).join();
  for (const token of tokens) expect(said).not.toContain(token);
  await mailbox.close();
  await database.remove();
});
