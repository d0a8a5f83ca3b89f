import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TestClient } from '../testing/client.ts';
import { ADMIN, AGENT, startTestAgent } from '../testing/panel.ts';
import { runProgram } from '../testing/process/command.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  spawnPanel,
} from '../testing/process/process.ts';

vi.setConfig({ testTimeout: 120_000 });

let agent: Awaited<ReturnType<typeof startTestAgent>>;
let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
beforeAll(async () => {
  agent = await startTestAgent();
  database = await makeMigratedDatabase('embedded');
});
afterAll(async () => {
  await endPanels();
  await agent?.close();
  await database?.remove();
});

test('db:seed adds the agent to a running panel in both protocols, and a reseller, once', {
  tags: ['spec:9.25'],
}, async () => {
  const panel = await spawnPanel({ ...database.env, ...FIRST_START });
  const seed = () =>
    runProgram('seed.ts', [], {
      ...database.env,
      ...FIRST_START,
      PANEL_URL: panel.url,
      AGENT_USERNAME: AGENT.username,
      AGENT_PASSWORD: AGENT.password,
      AGENT_PORT: new URL(agent.url).port,
    });
  const admin = new TestClient(panel.url);
  await admin.signIn(ADMIN.email, ADMIN.password);
  const read = async () => {
    const { items } = (await admin.get('/api/servers?sort=created_at')).body;
    const { body } = await admin.get('/api/accounts?q=reseller@linekeeper.local');
    return { servers: items, resellers: body.items };
  };

  expect(await seed()).toMatchObject({ code: 0, stderr: '' });
  const first = await read();
  expect(first.servers).toMatchObject([
    { server_name: 'Local agent (NewCamd)', protocol: 'NewCamd', status: 'active' },
    { server_name: 'Local agent', protocol: 'CCcam', status: 'active' },
  ]);
  expect(first.resellers).toMatchObject([{ group_id: '2', credits: 100 }]);

  const again = await seed();
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(again.stdout).toContain('already exists');
  const second = await read();
  expect(second.servers.map(({ id }: { id: string }) => id)).toEqual(
    first.servers.map(({ id }: { id: string }) => id),
  );
  expect(second.resellers).toHaveLength(1);
});

test('db:seed prepares an embedded database without a panel, and its accounts sign in at the first start', async () => {
  const { env, remove } = await makeMigratedDatabase('embedded');
  const seed = () => runProgram('seed.ts', [], { ...env, ...FIRST_START });
  const first = await seed();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect((await seed()).stdout).toContain('reseller@linekeeper.local already exists');

  const { url } = await spawnPanel({ ...env, ...FIRST_START });
  const [admin, reseller] = [new TestClient(url), new TestClient(url)];
  await admin.signIn(ADMIN.email, ADMIN.password);
  const password = /^Password: (.+)$/m.exec(first.stdout)?.[1] ?? '';
  await reseller.signIn('reseller@linekeeper.local', password);
  expect((await reseller.get('/api/me')).body).toMatchObject({ credits: 100 });
  expect((await admin.get('/api/credits/verify')).body).toMatchObject({ differences: [] });
  await endPanels();
  await remove();
});
