// @module-tag thorough
// Whatever is done to lines in turn, the wanted state is what follows from their rows; and once card servers take changes,
// they hold exactly that.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type MemoryCardServer,
  startMemoryCardServer,
} from '../../testing/card-servers/memory-card-server.ts';
import {
  addOscamServer,
  type OscamServer,
  startOscamServer,
} from '../../testing/card-servers/oscam-server.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { isSoak, size } from '../../testing/size.ts';
import { stopServers } from '../machines/card-server/testing/servers.ts';
import { redeliverEverything } from './redeliver.ts';

vi.setConfig({ testTimeout: isSoak ? 3_600_000 : 300_000 });

const acts = [
  ...['sell', 'sell', 'renew', 'rename', 'rename', 'swap', 'move', 'moveAll', 'suspend', 'resume'],
  ...['password', 'delete', 'undo', 'restore', 'loseFolder', 'away', 'back'],
] as const;
const step = fc.record({
  act: fc.constantFrom(...acts),
  line: fc.nat(2),
  name: fc.nat(4),
  server: fc.nat(1),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Rows of `server_accounts` that differ from what follows from lines, each with the reason. */
const differences = sql<{ username: string; reason: string }>`
  select username, 'its line wants something else' as reason
    from users left join server_accounts account using (server_id, username)
    where account.of_line is distinct from users.id or account.wanted is distinct from
      case when suspension is null
        then jsonb_build_object('line_id', users.id, 'expiry_date', users.expiry_date) end
  union all
  select account.username, 'a former account differs from its line'
    from server_accounts account left join users on users.id = (account.wanted ->> 'line_id')::uuid
    where account.wanted ->> 'is_former' is not null
      and (users.id is null or account.wanted ->> 'expiry_date' <> users.expiry_date::text and
          account.revision > account.synced_revision
        or (account.wanted ->> 'is_suspended' is not null) <> (users.suspension is not null))
  union all
  select account.username, 'it is of no line of this name and server'
    from server_accounts account left join users using (server_id, username)
    where account.wanted is not null and account.wanted ->> 'is_former' is null
      and users.id::text is distinct from account.wanted ->> 'line_id'
  union all
  select min(username), 'a line has two former accounts'
    from server_accounts where wanted ->> 'is_former' is not null
    group by wanted ->> 'line_id' having count(*) > 1`;

describe.each(databases)('on %s', (kind) => {
  let panel: TestPanel;
  let api: MemoryCardServer;
  let oscam: OscamServer;
  let servers: string[];
  let sequences = 0;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    api = await startMemoryCardServer('a folder');
    oscam = await startOscamServer();
    servers = [
      (await panel.addServer(api.url, 'By an agent')).id,
      (await addOscamServer(panel, oscam, { server_name: 'By its web interface' })).id,
    ];
  });
  afterAll(async () => {
    await panel.stop();
    await oscam.stop();
    await stopServers();
  });

  const setAway = (isAway: boolean) => {
    api.answersWith = isAway ? { status: 503 } : null;
    oscam.faults.readOnly = isAway;
  };

  const changes = {
    sell: (one: Sequence, { name, server }: Step) => one.sell(name, server),
    renew: (one: Sequence, { line }: Step) => one.post(line, 'renew', { subscription_months: 1 }),
    rename: (one: Sequence, { line, name }: Step) => one.patch(line, { username: one.name(name) }),
    async swap(one: Sequence, { line }: Step) {
      const [first, second] = [one.lines[line], one.lines[(line + 1) % 3]];
      if (!first || !second || first === second) return;
      const nameOf = async (id: string) =>
        (await panel.admin.get(`/api/lines/${id}`)).body.username;
      const [a, b] = [await nameOf(first), await nameOf(second)];
      await panel.admin.patch(`/api/lines/${first}`, { username: one.name(5) });
      await panel.admin.patch(`/api/lines/${second}`, { username: a });
      await panel.admin.patch(`/api/lines/${first}`, { username: b });
    },
    move: (one: Sequence, { line, server }: Step) =>
      one.patch(line, { server_id: servers[server] }),
    moveAll: (_: Sequence, { server }: Step) =>
      panel.admin.post(`/api/servers/${servers[server]}/move-lines`, {
        to_server_id: servers[1 - server],
      }),
    suspend: (one: Sequence, { line }: Step) => one.post(line, 'suspend', {}),
    resume: (one: Sequence, { line }: Step) => one.post(line, 'resume', {}),
    password: (one: Sequence, { line, name }: Step) =>
      one.patch(line, { password: `other-${name}` }),
    delete: (one: Sequence, { line }: Step) => panel.admin.delete(`/api/lines/${one.lines[line]}`),
    undo: (one: Sequence) => panel.admin.post(`/api/jobs/${one.jobs.at(-1)}/undo`),
    restore: () => redeliverEverything(panel.services.db),
    loseFolder: async () => api.replaceFolder(crypto.randomUUID()),
    away: async () => setAway(true),
    back: async () => setAway(false),
  };

  class Sequence {
    readonly lines: string[] = [];
    readonly jobs: string[] = [];
    readonly #number = ++sequences;
    readonly name = (name: number) => `${'abcdef'[name]}-${this.#number}`;

    async sell(name: number, server: number) {
      const sale = newLine(this.name(name), { server_id: servers[server] });
      this.#keep((await panel.admin.post('/api/lines', sale)).body);
    }

    #keep(body: { line?: { id: string }; job_id?: string }) {
      if (body.line && !this.lines.includes(body.line.id)) this.lines.unshift(body.line.id);
      if (body.job_id) this.jobs.push(body.job_id);
    }

    post = async (line: number, act: string, body: object) =>
      this.#keep((await panel.admin.post(`/api/lines/${this.lines[line]}/${act}`, body)).body);
    patch = (line: number, body: object) =>
      panel.admin.patch(`/api/lines/${this.lines[line]}`, body);
  }

  /** Accounts that run on both card servers, by name with day and password. */
  const running = () => ({
    api: Object.fromEntries(
      [...api.accounts].map(([name, { expiryDate, password }]) => [
        name,
        `${expiryDate} ${password}`,
      ]),
    ),
    oscam: Object.fromEntries(
      oscam
        .accounts()
        .filter(({ disabled }) => disabled !== '1')
        .map(({ user, expdate, pwd }) => [user, `${expdate} ${pwd}`]),
    ),
  });

  async function paid() {
    const { db, secrets } = panel.services;
    const lines = await db
      .selectFrom('users')
      .selectAll()
      .where('suspension', 'is', null)
      .execute();
    const on = (server: number, dayOf: (day: string) => string) =>
      Object.fromEntries(
        lines
          .filter(({ server_id }) => server_id === servers[server])
          .map((line) => [
            line.username,
            `${dayOf(line.expiry_date)} ${secrets.open(line.password, line.id)}`,
          ]),
      );
    return {
      api: on(0, (day) => day.split('-').reverse().join('-')),
      oscam: on(1, (day) => day),
    };
  }

  test('the wanted state follows lines, and card servers follow it', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 14 }),
      async (steps) => {
        const one = new Sequence();
        for (const server of [0, 1]) await one.sell(server, server);
        for (const taken of steps) {
          await changes[taken.act](one, taken);
          const { rows } = await differences.execute(panel.services.db);
          expect(rows).toEqual([]);
        }
        setAway(false);
        await redeliverEverything(panel.services.db);
        await eventually(async () => {
          expect(running()).toEqual(await paid());
          expect((await panel.admin.get('/api/sync')).body.total).toBe(0);
        });
      },
    );
    await fc.assert(property, {
      numRuns: size(8, 500),
      seed: isSoak ? Date.now() % 2 ** 31 : 7,
      endOnFailure: true,
    });
  });
});
