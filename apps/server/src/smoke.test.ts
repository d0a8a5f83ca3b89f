import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases, startTestAgent, startTestPanel, type TestPanel } from './testing/panel.ts';

describe.each(databases)('a sale on %s', (kind) => {
  let panel: TestPanel;
  let agent: Awaited<ReturnType<typeof startTestAgent>>;
  beforeAll(async () => {
    agent = await startTestAgent();
    panel = await startTestPanel(kind);
    await panel.addServer(agent.url);
  });
  afterAll(async () => {
    await panel?.stop();
    await agent?.close();
  });

  test('works', async () => {
    const { client } = await panel.reseller();
    const reply = await client.post('/api/lines', { username: 'anna', password: 'pw-anna', subscription_months: 1 });
    expect(reply).toMatchObject({ status: 201, body: { cost: 2, credits: 98, sync: { ok: true } } });
  });
});
