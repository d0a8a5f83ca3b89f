import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { AWKWARD_NAMES, MALFORMED_HOSTS } from './card-server/testing/hostile-hosts.ts';
import { machineOf } from './same-machine.ts';

/** Hosts of one machine each, in all spellings that lead to it. */
const MACHINES = [
  [
    '127.0.0.1',
    '127.1.2.3',
    'localhost',
    'LocalHost',
    'localhost.',
    'panel.localhost',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '::FFFF:7F00:1',
  ],
  ['cards.example', 'Cards.Example', 'CARDS.EXAMPLE', 'cards.example.'],
  ['203.0.113.5', '::ffff:203.0.113.5', '[::FFFF:CB00:7105]', '0:0:0:0:0:ffff:cb00:7105'],
  ['2001:db8::1', '[2001:DB8::1]', '2001:0db8:0:0:0:0:0:0001', '2001:db8:0::0:1'],
  ['2001:db8::2'],
  ['notlocalhost'],
  ['localhost.example'],
];

describe.each(databases)('the machine of an address, on %s', (kind) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
  });

  const stored = async (hosts: readonly string[]) => {
    const { rows } = await sql<{ machine: string }>`
      select machine_of(host, 3000) as machine
        from unnest(${hosts}::text[]) with ordinality as given (host, place) order by place`.execute(
      panel.services.db,
    );
    return rows.map(({ machine }) => machine);
  };

  test('is one in whatever form, in the database as in the panel', async () => {
    const ofEach = await Promise.all(MACHINES.map(stored));
    for (const [place, hosts] of MACHINES.entries()) {
      const own = hosts.map((host_ip) => machineOf({ host_ip, api_port: 3000 }));
      expect(own, hosts[0]).toEqual(ofEach[place]);
      expect(new Set(own).size, hosts[0]).toBe(1);
    }
    expect(new Set(ofEach.flat()).size).toBe(MACHINES.length);
  });

  test('is one of each port, and of any text', async () => {
    const of = (api_port: number) => machineOf({ host_ip: '127.0.0.1', api_port });
    expect(of(3000)).not.toBe(of(3001));
    const hosts = [...AWKWARD_NAMES, ...MALFORMED_HOSTS].filter((host) => !host.includes('\0'));
    expect(await stored(hosts)).toHaveLength(hosts.length);
    expect(await stored(AWKWARD_NAMES)).toEqual(
      AWKWARD_NAMES.map((host_ip) => machineOf({ host_ip, api_port: 3000 })),
    );
  });

  test('is found for an entry by its address and its instance, also where these join others', async () => {
    const { db } = panel.services;
    const entry = async (host_ip: string) => {
      const at = { server_name: host_ip, host_ip, port: 12_000, api_port: 3000 };
      const { server } = (
        await panel.admin.post('/api/servers', { ...at, username: 'panel', password: 'secret' })
      ).body;
      return server.id as string;
    };
    const learn = (id: string, instance: string) =>
      sql`update cccam_servers set instance = ${instance} where id = ${id}`.execute(db);
    const machineOfEntry = async (id: string) => {
      const { rows } = await sql<{ machine_id: string }>`
        select machine_id from cccam_servers where id = ${id}`.execute(db);
      return rows[0]?.machine_id;
    };
    const [first, beside] = [await entry('203.0.113.5'), await entry('::ffff:203.0.113.5')];
    const other = await entry('203.0.113.6');
    expect(await machineOfEntry(beside)).toBe(await machineOfEntry(first));
    expect(await machineOfEntry(other)).not.toBe(await machineOfEntry(first));
    for (const id of [other, first, beside]) await learn(id, 'one folder');
    expect(await machineOfEntry(other)).toBe(await machineOfEntry(first));
    expect(await machineOfEntry(beside)).toBe(await machineOfEntry(first));
    // Entries that an administrator has separated stay separate if another entry learns the instance.
    await panel.admin.patch(`/api/servers/${other}`, { same_machine_as: null });
    const later = await entry('[::ffff:203.0.113.5]');
    await learn(later, 'one folder');
    expect(await machineOfEntry(later)).toBe(await machineOfEntry(first));
    expect(await machineOfEntry(other)).not.toBe(await machineOfEntry(first));
  });
});
