// @module-tag thorough
// Two entries of the panel may lead to the same card server, even if their addresses are written
// differently.
import { forwardPort } from '@linekeeper/oscam/testing/oscam.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type OscamServer,
  startOscamServer,
  webifServer,
} from '../../testing/card-servers/oscam-server.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine, readServerFiles } from '../../testing/lines.ts';
import { checkById } from '../../testing/loops.ts';
import { AGENT, startTestAgent, startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  const SERVER_NETWORK_ALLOW = '127.0.0.0/8,10.0.0.0/8,::ffff:0:0/96';
  panel = await startTestPanel('postgres', { SERVER_NETWORK_ALLOW });
  panel.services.outbound.resolve = async () => ['127.0.0.1'];
});

interface Machine {
  /** The fields of an entry for the machine, without its name and address. */
  entry: object;
  /** The names with which customers can log in. */
  names(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts a card server of each kind. */
const kinds: Record<'api' | 'oscam_webif', () => Promise<Machine>> = {
  async api() {
    const agent = await startTestAgent();
    return {
      entry: { port: 12_000, api_port: Number(new URL(agent.url).port), ...AGENT },
      names: async () =>
        [...(await readServerFiles(agent)).cccam.matchAll(/^F: (\S+)/gm)].map(
          ([, name]) => `${name}`,
        ),
      stop: () => agent.close(),
    };
  },
  async oscam_webif() {
    const oscam = await startOscamServer();
    return {
      entry: webifServer(oscam),
      names: async () =>
        oscam.accounts().flatMap(({ user, disabled }) => (user && disabled !== '1' ? [user] : [])),
      stop: () => oscam.stop(),
    };
  },
};

async function withMachine(
  kind: keyof typeof kinds,
  hosts: readonly string[],
  work: (machine: Machine, ids: [string, string]) => Promise<void>,
): Promise<void> {
  const machine = await kinds[kind]();
  const ids: string[] = [];
  try {
    for (const [place, host_ip] of hosts.entries()) {
      const body = { ...machine.entry, server_name: `Entry ${place}`, host_ip };
      const { id } = (await panel.admin.post('/api/servers', body)).body.server;
      expect((await panel.admin.post(`/api/servers/${id}/test`)).body.status).toBe('active');
      ids.push(id);
    }
    await work(machine, ids as [string, string]);
  } finally {
    await machine.stop();
    await leavePorts(ids);
  }
}

let unused = 1;
/**
 * Gives the entries of a stopped machine ports on which nothing listens, so that later machines can use the old ports.
 */
async function leavePorts(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await panel.admin.patch(`/api/servers/${id}`, { host_ip: '127.0.0.1', api_port: unused++ });
  }
}

const find = async (id: string) => (await panel.admin.get(`/api/servers/${id}`)).body;
const nothingDue = (ids: readonly string[]) =>
  eventually(async () => {
    for (const id of ids) expect((await find(id)).pushes_due).toBe(0);
  });

let sold = 0;
async function sellSix(server_id: string): Promise<string[]> {
  const names = Array.from({ length: 6 }, () => `one-machine-${sold++}`);
  for (const name of names) {
    const { status, body } = await panel.admin.post('/api/lines', newLine(name, { server_id }));
    expect([status, body.sync]).toMatchObject([201, { ok: true }]);
  }
  return names;
}

async function expectNothingLost(
  machine: Machine,
  [one, other]: [string, string],
  before: readonly string[] = [],
) {
  const names = [...before, ...(await sellSix(one))];
  const move = await panel.admin.post(`/api/servers/${one}/move-lines`, { to_server_id: other });
  expect(move.body).toMatchObject({ moved: names.length });
  await nothingDue([one, other]);
  expect(await machine.names()).toEqual(expect.arrayContaining(names));

  const { body: lines } = await panel.admin.get(`/api/lines?server_id=${other}`);
  const [line] = lines.items;
  const back = await panel.admin.patch(`/api/lines/${line.id}`, { server_id: one });
  expect(back.body.sync).toMatchObject({ ok: true });
  await nothingDue([one, other]);
  for (const id of [one, other]) {
    const { body } = await panel.admin.get(`/api/servers/${id}/compare`);
    expect(body).toMatchObject({ offered: true, missing: { count: 0 }, unknown: { count: 0 } });
    const mended = await panel.admin.post(`/api/servers/${id}/mend`, { remove_unknown: true });
    expect(mended.body).toMatchObject({ removed: 0 });
  }
  await nothingDue([one, other]);
  expect(await machine.names()).toEqual(expect.arrayContaining(names));
}

describe.each(['api', 'oscam_webif'] as const)(
  'lines of two entries of one machine, by %s',
  (kind) => {
    test.each([
      ['127.0.0.1', 'LocalHost'],
      ['cards.example', 'Cards.Example'],
      ['::ffff:127.0.0.1', '[::FFFF:7f00:1]'],
      ['::ffff:7f00:1', '127.0.0.1'],
    ])('%s and %s, stay on it', (...hosts) =>
      withMachine(kind, hosts, (machine, ids) => expectNothingLost(machine, ids)),
    );

    test('by name and by number, stay on it', () =>
      withMachine(kind, ['127.0.0.1', 'cards.example'], expectNothingLost));

    test('stay on it while they are suspended', () =>
      withMachine(kind, ['127.0.0.1', 'localhost'], async (machine, [one, other]) => {
        const [name] = await sellSix(one);
        const { body } = await panel.admin.get(`/api/lines?q=${name}`);
        const path = `/api/lines/${body.items[0].id}`;
        await panel.admin.post(`${path}/suspend`);
        await panel.admin.patch(path, { server_id: other });
        await nothingDue([one, other]);
        expect(await machine.names()).not.toContain(name);
        expect((await panel.admin.post(`${path}/resume`)).body.sync).toMatchObject({ ok: true });
        await nothingDue([one, other]);
        expect(await machine.names()).toContain(name);
      }));
  },
);

test('an entry of another port of the host is another machine', () =>
  withMachine('api', ['127.0.0.1'], (first, [one]) =>
    withMachine('api', ['localhost'], async (second, [other]) => {
      const names = await sellSix(one);
      await panel.admin.post(`/api/servers/${one}/move-lines`, { to_server_id: other });
      await nothingDue([one, other]);
      expect(await first.names()).toEqual([]);
      expect(await second.names()).toEqual(expect.arrayContaining(names));
      await checkById(panel.services, one);
    }),
  ));

/** Runs `work` with one OSCam and two entries for it, one of which leads through a forwarded port. */
async function withForwarded(
  work: (oscam: OscamServer, machine: Machine, ids: [string, string]) => Promise<void>,
  faults: Partial<OscamServer['faults']> = {},
) {
  const oscam = await startOscamServer();
  Object.assign(oscam.faults, faults);
  const forward = await forwardPort(oscam.port);
  const machine: Machine = {
    entry: {},
    names: async () => oscam.accounts().flatMap(({ user }) => user ?? []),
    stop: () => oscam.stop(),
  };
  const ids: string[] = [];
  for (const api_port of [oscam.port, forward.port]) {
    const body = webifServer(oscam, { api_port, server_name: `At ${api_port}` });
    ids.push((await panel.admin.post('/api/servers', body)).body.server.id);
  }
  try {
    await work(oscam, machine, ids as [string, string]);
  } finally {
    forward.close();
    await machine.stop();
    await leavePorts(ids);
  }
}

test('lines of two entries of one OSCam, one of which is a forwarded port, stay on it', () =>
  withForwarded(async (_, machine, ids) => {
    await expectNothingLost(machine, ids);
    const [one, other] = await Promise.all(ids.map(find));
    expect(one.same_machine).toEqual([{ id: other.id, server_name: other.server_name }]);
    expect(other.same_machine).toEqual([{ id: one.id, server_name: one.server_name }]);
  }));

test('an OSCam that starts anew is one machine still, although one entry alone has seen its start', () =>
  withForwarded(async (oscam, machine, ids) => {
    await oscam.restart();
    await checkById(panel.services, ids[0]);
    await expectNothingLost(machine, ids);
  }));

test('two entries of an OSCam that hides its status are one machine by the word of an administrator', () =>
  withForwarded(
    async (_, machine, ids) => {
      const [one, other] = ids;
      const names = await sellSix(one);
      expect((await find(other)).same_machine).toEqual([]);
      const { body } = await panel.admin.get(`/api/servers/${other}/compare`);
      const { server_name } = await find(one);
      expect(body).toMatchObject({
        unknown: { count: 0 },
        elsewhere: [{ id: one, server_name, accounts: 6 }],
      });
      const join = (id: string, same_machine_as: string | null) =>
        panel.admin.patch(`/api/servers/${id}`, { same_machine_as });
      const nobody = await join(other, '00000000-0000-4000-8000-000000000000');
      expect([nobody.status, nobody.body.code]).toEqual([404, 'SERVER_NOT_FOUND']);
      const joined = await join(other, one);
      expect(joined.body.server.same_machine).toMatchObject([{ id: one }]);
      await expectNothingLost(machine, ids, names);
      expect((await panel.admin.get(`/api/servers/${other}/compare`)).body.elsewhere).toEqual([]);
      expect((await join(one, null)).body.server.same_machine).toEqual([]);
      expect((await find(other)).same_machine).toEqual([]);
    },
    { hidesStatus: true },
  ));
