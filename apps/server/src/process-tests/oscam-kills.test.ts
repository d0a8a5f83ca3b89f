// @module-tag thorough
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OscamAccount, readAccounts } from '@linekeeper/oscam/testing/accounts.ts';
import { afterAll, expect, test } from 'vitest';
import {
  addOscamServer,
  type OscamServer,
  startOscamServer,
} from '../testing/card-servers/oscam-server.ts';
import { TestClient } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { ADMIN } from '../testing/panel.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  movedTo,
  type PanelProcess,
  spawnPanel,
} from '../testing/process/process.ts';
import { size } from '../testing/size.ts';

afterAll(endPanels);

const OPERATIONS = size(60, 1000);
const KILL_EVERY = 15;

interface Sold {
  id: string;
  username: string;
  status: { label: string }[];
  expiry_date: string;
}

const pick = <T>(all: readonly T[]): T | undefined => all[randomInt(Math.max(1, all.length))];

/** The rows that the operator has, and the changes that they make in OSCam's own form. */
class Operator {
  readonly accounts = new Map<string, OscamAccount>();
  /** Rights of lines, by the id in the mark. */
  readonly rights = new Map<string, string>();
  readonly #oscam: OscamServer;
  constructor(oscam: OscamServer) {
    this.#oscam = oscam;
  }

  async saveOwn(step: number): Promise<void> {
    const user = `own${randomInt(5)}`;
    const settings = { pwd: `theirs${step}`, group: String(1 + randomInt(9)), services: 'sport' };
    await this.#oscam.edit(user, settings);
    const account = this.#oscam.account(user);
    if (account) this.accounts.set(user, { ...account });
  }

  /** Changes the rights of a line. A line that is deleted or renamed at this moment may lose the change. */
  async grant(): Promise<void> {
    const account = pick(this.#oscam.accounts().filter(({ description }) => description));
    const line = /^Linekeeper (\S+)/.exec(account?.description ?? '')?.[1];
    if (!account?.user || !line) return;
    const group = String(10 + randomInt(50));
    await this.#oscam.edit(account.user, { group, services: 'news,!adult' });
    if (this.#oscam.account(account.user)?.description?.includes(line))
      this.rights.set(line, group);
  }
}

/** Sends random requests, whose replies may be lost. */
function tryAtRandom(client: TestClient, server_id: string, step: number, lines: readonly Sold[]) {
  const line = pick(lines);
  if (!line || randomInt(3) === 0) {
    const sale = {
      username: `line${step}`,
      password: `pw${step}`,
      subscription_months: 1,
      server_id,
    };
    return client.post('/api/lines', sale);
  }
  const path = `/api/lines/${line.id}`;
  const actions = [
    () => client.post(`${path}/renew`, { subscription_months: 1 }),
    () => client.patch(path, { password: `pw${step}` }),
    () => client.patch(path, { username: `name${step}` }),
    () => client.post(`${path}/suspend`, {}),
    () => client.post(`${path}/resume`, {}),
    () => client.delete(path),
  ];
  return (pick(actions) ?? (() => Promise.resolve(undefined)))();
}

async function readLines(client: TestClient): Promise<Sold[]> {
  const lines: Sold[] = [];
  let cursor = '';
  do {
    const { body } = await client.get(`/api/lines?limit=100${cursor && `&cursor=${cursor}`}`);
    lines.push(...body.items);
    cursor = body.next_cursor ?? '';
  } while (cursor);
  return lines;
}

const isSuspended = ({ status }: Sold) => status.some(({ label }) => label === 'suspended');

/** Expects that the file equals the panel's lines, and that the rows of the operator are unchanged. */
async function expectSame(client: TestClient, oscam: OscamServer, operator: Operator) {
  const file = readAccounts(readFileSync(oscam.file, 'latin1'));
  expect(file).toEqual(oscam.accounts());
  const byName = new Map(file.map((account) => [account.user, account]));
  for (const [user, account] of operator.accounts) expect(byName.get(user)).toEqual(account);
  const lines = await readLines(client);
  const running = lines.filter((line) => !isSuspended(line));
  for (const line of running) {
    const { body } = await client.post(`/api/lines/${line.id}/reveal`, {});
    const account = byName.get(line.username);
    const group = operator.rights.get(line.id);
    // A line that was renamed while it was suspended has a new account.
    if (group && line.username.startsWith('line')) expect(account).toMatchObject({ group });
    expect(account).toMatchObject({
      pwd: body.password,
      expdate: line.expiry_date,
      disabled: '0',
      description: `Linekeeper ${line.id}`,
    });
  }
  for (const line of lines.filter(isSuspended)) {
    expect(byName.get(line.username)?.disabled ?? '1').toBe('1');
  }
  const names = new Set([...lines.map(({ username }) => username), ...operator.accounts.keys()]);
  expect(file.map(({ user }) => user).filter((user) => !names.has(user ?? ''))).toEqual([]);
  expect(new Set(file.map(({ user }) => user)).size).toBe(file.length);
}

test(`${OPERATIONS} operations with kills of panel and OSCam end with what the panel says`, async () => {
  const database = await makeMigratedDatabase('postgres');
  const env = { ...database.env, ...FIRST_START };
  const oscam = await startOscamServer({ savesAtOnce: true });
  const operator = new Operator(oscam);
  let panel: PanelProcess = await spawnPanel(env);
  let admin = new TestClient(panel.url);
  await admin.signIn(ADMIN.email, ADMIN.password);
  const { id: server_id } = await addOscamServer({ admin }, oscam);
  await operator.saveOwn(0);
  for (let step = 1; step <= OPERATIONS; step += 1) {
    const asked = tryAtRandom(admin, server_id, step, await readLines(admin)).catch(() => {});
    if (randomInt(4) === 0) await operator.saveOwn(step);
    if (randomInt(6) === 0) await operator.grant();
    if (step % KILL_EVERY === 0) {
      await sleep(randomInt(150));
      panel.child.kill('SIGKILL');
      await panel.ended;
      panel = await spawnPanel(env);
      admin = movedTo(panel.url, admin);
    } else if (step % KILL_EVERY === 7) {
      await sleep(randomInt(100));
      await oscam.restart();
    }
    await asked;
  }
  await eventually(async () => expect((await admin.get('/api/sync')).body.total).toBe(0), 120_000);
  await expectSame(admin, oscam, operator);
  panel.child.kill('SIGTERM');
  await panel.ended;
  await oscam.stop();
  await database.remove();
}, 1_800_000);
