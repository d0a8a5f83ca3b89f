// @module-tag thorough
// Whatever is done to lines, in turn or side by side, by one panel or by two of which one dies in the middle of a push: the
// wanted state is what follows from the rows of lines; and once card servers take changes, they hold exactly that.
import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { transact } from '../../db/transaction.ts';
import {
  type MemoryCardServer,
  startMemoryCardServer,
} from '../../testing/card-servers/memory-card-server.ts';
import {
  addOscamServer,
  type OscamServer,
  startOscamServer,
} from '../../testing/card-servers/oscam-server.ts';
import type { TestClient } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { addPlan } from '../../testing/plans.ts';
import {
  endPanels,
  movedTo,
  type PanelProcess,
  spawnPanel,
} from '../../testing/process/process.ts';
import { isSoak, size } from '../../testing/size.ts';
import { deliverEverything } from './settle.ts';

vi.setConfig({ testTimeout: isSoak ? 3_600_000 : 300_000 });

const requests = [
  ...['sell', 'sell', 'renew', 'rename', 'rename', 'swap', 'move', 'moveAll', 'suspend', 'resume'],
  ...['password', 'delete', 'undo', 'changePlan', 'changePlan', 'editPlan'],
] as const;
const events = ['restore', 'loseFolder', 'away', 'back', 'die'] as const;
const step = fc.record({
  act: fc.constantFrom(...requests, ...events),
  /** A request to the panel that dies. */
  last: fc.constantFrom(...requests),
  line: fc.nat(2),
  name: fc.nat(4),
  server: fc.nat(1),
  panel: fc.nat(1),
  /** True if the request runs at the same time as the next one. */
  isBeside: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
type Ask = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ username?: string; line?: { id: string }; job_id?: string }>;

const isRequest = (act: string): act is (typeof requests)[number] =>
  requests.some((request) => request === act);

/** Rows of `server_accounts` that differ from what follows from lines, each with the reason. */
const differences = sql<{ username: string; reason: string }>`
  select users.username, 'its line wants something else' as reason
    from users cross join lateral servers_of(users.server_id, users.plan_id) as at
      left join plan_servers place on place.plan_id = users.plan_id and place.server_id = at
      left join server_accounts account on account.server_id = at and account.username = users.username
    where account.of_line is distinct from users.id or account.wanted is distinct from
      case when suspension is null
        then jsonb_strip_nulls(jsonb_build_object('line_id', users.id, 'expiry_date', users.expiry_date,
          'rights', place.rights)) end
  union all
  select account.username, 'a former account differs from its line'
    from server_accounts account left join users on users.id = (account.wanted ->> 'line_id')::uuid
    where account.wanted ->> 'is_former' is not null
      and (users.id is null or account.wanted ->> 'expiry_date' <> users.expiry_date::text and
          account.revision > account.synced_revision
        or (account.wanted ->> 'is_suspended' is not null) <> (users.suspension is not null))
  union all
  select account.username, 'it is of no line of this name and server'
    from server_accounts account left join users on users.username = account.username
      and account.server_id in (select at from servers_of(users.server_id, users.plan_id) as at)
    where account.wanted is not null and account.wanted ->> 'is_former' is null
      and users.id::text is distinct from account.wanted ->> 'line_id'
  union all
  select min(username), 'a line has two former accounts on one server'
    from server_accounts where wanted ->> 'is_former' is not null
    group by wanted ->> 'line_id', server_id having count(*) > 1`;

type PlacedLine = Record<'id' | 'username' | 'password' | 'expiry_date' | 'server_id', string> & {
  connections: number | null;
};

/** The lines of a sequence of steps, with names that only this sequence has, the newest first. */
class Sequence {
  static #count = 0;
  readonly #number = ++Sequence.#count;
  readonly #lines: string[] = [];
  readonly #jobs: string[] = [];

  readonly name = (name: number) => `${'abcdef'[name]}-${this.#number}`;
  readonly path = (line: number, act = '') => `/api/lines/${this.#lines[line]}${act}`;
  readonly undoPath = () => `/api/jobs/${this.#jobs.at(-1)}/undo`;

  readonly by =
    (client: TestClient): Ask =>
    async (method, path, body) => {
      const key = { 'idempotency-key': crypto.randomUUID() };
      const { status, body: reply } = await client.send(method, path, body, key);
      expect(status, path).not.toBe(500);
      if (reply.line && !this.#lines.includes(reply.line.id)) this.#lines.unshift(reply.line.id);
      if (reply.job_id) this.#jobs.push(reply.job_id);
      return reply;
    };
}

describe.each(databases)('on %s', (kind) => {
  let panel: TestPanel;
  /** Another panel on the same database, which only PostgreSQL can have. */
  let second: Promise<PanelProcess> | undefined;
  let api: MemoryCardServer;
  let oscam: OscamServer;
  let servers: string[];
  /** Id of a plan whose lines are on both servers. */
  let both: string;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    if (kind === 'postgres') second = spawnPanel(panel.env);
    api = await startMemoryCardServer('a folder');
    oscam = await startOscamServer();
    servers = [
      (await panel.addServer(api.url, 'By an agent')).id,
      (await addOscamServer(panel, oscam, { server_name: 'By its web interface' })).id,
    ];
    both = await addPlan(panel, {
      serves: 'all',
      servers: servers.map((server_id) => ({ server_id })),
    });
  });
  afterAll(async () => {
    await second;
    await endPanels();
  });

  const setAway = (isAway: boolean) => {
    api.answersWith = isAway ? { status: 503 } : null;
    oscam.faults.readOnly = isAway;
  };
  const setHold = (hold?: () => Promise<void>) => {
    api.beforeChange = hold ?? (async () => {});
    oscam.faults.midSave = hold;
  };

  const changes = {
    sell: (one: Sequence, { name, server }: Step, ask: Ask) =>
      ask('POST', '/api/lines', newLine(one.name(name), { server_id: servers[server] })),
    renew: (one: Sequence, { line }: Step, ask: Ask) =>
      ask('POST', one.path(line, '/renew'), { subscription_months: 1 }),
    rename: (one: Sequence, { line, name }: Step, ask: Ask) =>
      ask('PATCH', one.path(line), { username: one.name(name) }),
    async swap(one: Sequence, { line }: Step, ask: Ask) {
      const [a, b] = [one.path(line), one.path((line + 1) % 3)];
      const [nameOfA, nameOfB] = [await ask('GET', a), await ask('GET', b)];
      await ask('PATCH', a, { username: one.name(5) });
      await ask('PATCH', b, { username: nameOfA.username });
      await ask('PATCH', a, { username: nameOfB.username });
    },
    move: (one: Sequence, { line, server }: Step, ask: Ask) =>
      ask('PATCH', one.path(line), { server_id: servers[server] }),
    moveAll: (_: Sequence, { server }: Step, ask: Ask) =>
      ask('POST', `/api/servers/${servers[server]}/move-lines`, {
        to_server_id: servers[1 - server],
      }),
    suspend: (one: Sequence, { line }: Step, ask: Ask) =>
      ask('POST', one.path(line, '/suspend'), {}),
    resume: (one: Sequence, { line }: Step, ask: Ask) => ask('POST', one.path(line, '/resume'), {}),
    password: (one: Sequence, { line, name }: Step, ask: Ask) =>
      ask('PATCH', one.path(line), { password: `other-${name}` }),
    delete: (one: Sequence, { line }: Step, ask: Ask) => ask('DELETE', one.path(line)),
    undo: (one: Sequence, _: Step, ask: Ask) => ask('POST', one.undoPath()),
    changePlan: (one: Sequence, { line, name }: Step, ask: Ask) =>
      ask('POST', one.path(line, '/change-plan'), { plan_id: name % 2 ? both : STANDARD_PLAN }),
    async editPlan(_: Sequence, { name }: Step, ask: Ask) {
      const rights = [{}, { oscam: { max_connections: 3 } }, { oscam: { max_connections: 5 } }][
        name % 3
      ];
      const placed = servers.map((server_id) => ({ server_id, ...rights }));
      await ask('PATCH', `/api/plans/${both}`, {
        servers: name === 4 ? placed.slice(0, 1) : placed,
      });
    },
  };

  async function countUnfinishedJobs(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from jobs where action in ('edit_plan', 'undo') and finished_at is null
        and exists (select from job_items where job_id = jobs.id and state = 'waiting' and input is null)`.execute(
      panel.services.db,
    );
    return rows[0]?.count ?? 0;
  }

  /** Ends the leases of a dead panel. The living panel has none. */
  async function endLeases(): Promise<void> {
    await eventually(() => expect(panel.services.attempts.size).toBe(0));
    await transact(panel.services.db, (tx) =>
      sql`update server_accounts set claimed_until = now() where claimed_until > now()`.execute(tx),
    );
  }

  /** Kills the second panel while a card server carries out its request, so that the reply is lost. */
  async function die(one: Sequence, step: Step): Promise<void> {
    if (!second) return;
    const { url, child, ended } = await second;
    const [reached, dead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    setHold(() => {
      reached.resolve();
      return dead.promise;
    });
    const asked = Promise.resolve(
      changes[step.last](one, step, one.by(movedTo(url, panel.admin))),
    ).catch((error: unknown) => {
      if (!(error instanceof TypeError)) throw error;
    });
    await Promise.race([reached.promise, asked]);
    child.kill('SIGKILL');
    await ended;
    setHold();
    dead.resolve();
    await asked;
    await endLeases();
    second = spawnPanel(panel.env);
  }

  const happenings = {
    restore: () => transact(panel.services.db, deliverEverything),
    loseFolder: async () => api.replaceFolder(crypto.randomUUID()),
    away: async () => setAway(true),
    back: async () => setAway(false),
    die,
  };

  async function take(one: Sequence, taken: Step): Promise<void> {
    if (!isRequest(taken.act)) await happenings[taken.act](one, taken);
    else {
      const other = taken.panel === 1 ? await second : undefined;
      const client = other ? movedTo(other.url, panel.admin) : panel.admin;
      await changes[taken.act](one, taken, one.by(client));
    }
  }

  /** Accounts that work on both card servers: expiry date and password by name. */
  const running = () => ({
    api: Object.fromEntries(
      [...api.accounts].map(([name, { expiryDate, password, rights }]) => [
        name,
        `${expiryDate} ${password} ${rights?.max_connections ?? 1}`,
      ]),
    ),
    oscam: Object.fromEntries(
      oscam
        .accounts()
        .filter(({ disabled }) => disabled !== '1')
        .map(({ user, expdate, pwd, max_connections }) => [
          user,
          `${expdate} ${pwd} ${max_connections}`,
        ]),
    ),
  });

  async function paid() {
    const { db, secrets } = panel.services;
    const { rows: lines } = await sql<PlacedLine>`
      select line.id, username, password, expiry_date::text, at as server_id,
          rights -> 'oscam' -> 'max_connections' as connections
        from users line cross join lateral servers_of(server_id, plan_id) as at
          left join plan_servers place on place.plan_id = line.plan_id and place.server_id = at
        where suspension is null`.execute(db);
    const on = (server: number, dayOf: (day: string) => string) =>
      Object.fromEntries(
        lines
          .filter(({ server_id }) => server_id === servers[server])
          .map((line) => [
            line.username,
            `${dayOf(line.expiry_date)} ${secrets.open(line.password, line.id)} ${line.connections ?? 1}`,
          ]),
      );
    return {
      api: on(0, (day) => day.split('-').reverse().join('-')),
      oscam: on(1, (day) => day),
    };
  }

  /**
   * Expects that the card servers, once they respond again, have exactly the paid lines. An
   * operator requests lost accounts again.
   */
  async function settled(hasLost: boolean): Promise<void> {
    const { db } = panel.services;
    await second;
    setAway(false);
    if (hasLost) await transact(db, deliverEverything);
    else {
      await transact(db, (tx) => sql`update server_accounts set next_try_at = now()`.execute(tx));
    }
    await eventually(async () => {
      expect(running()).toEqual(await paid());
      expect((await panel.admin.get('/api/sync')).body.total).toBe(0);
    });
  }

  test('the wanted state follows lines, and card servers follow it', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 14 }),
      async (steps) => {
        const one = new Sequence();
        for (const server of [0, 1]) {
          await changes.sell(
            one,
            { ...steps[0], name: server, server } as Step,
            one.by(panel.admin),
          );
        }
        for (let at = 0; at < steps.length; ) {
          const [first, next] = steps.slice(at, at + 2) as [Step, Step?];
          const isPair = first.isBeside && next && isRequest(first.act) && isRequest(next.act);
          const taken = isPair ? [first, next] : [first];
          await Promise.all(taken.map((step) => take(one, step)));
          await eventually(async () => expect(await countUnfinishedJobs()).toBe(0));
          const { rows } = await differences.execute(panel.services.db);
          expect(rows).toEqual([]);
          at += taken.length;
        }
        await settled(steps.some(({ act }) => act === 'loseFolder'));
      },
    );
    await fc.assert(property, {
      numRuns: size(8, 200),
      seed: isSoak ? Date.now() % 2 ** 31 : 7,
      endOnFailure: true,
    });
  });
});
