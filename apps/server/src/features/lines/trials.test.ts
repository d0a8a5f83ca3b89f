import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLine } from '../../testing/lines.ts';
import { startTestAgent, startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel();
  await panel.addServer(agent.url);
});
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
});

const trial = (name: string) => newLine(name, { subscription_months: undefined, is_trial: true });

const limitReached = {
  status: 409,
  body: {
    code: 'TRIAL_LIMIT_REACHED',
    message: 'Trial limit reached. At most 5 trials at the same time',
    data: { limit: 5 },
  },
};

test('the sixth live trial is refused; one that has ended makes room', async () => {
  const { client, id } = await panel.reseller({ credits: 0 });
  const quote = async () =>
    (await client.post('/api/lines/quote', { action: 'create', is_trial: true })).body;
  for (let number = 1; number <= 5; number++) {
    expect((await quote()).trials_left).toBe(6 - number);
    expect((await client.post('/api/lines', trial(`t${number}`))).status).toBe(201);
  }
  expect(await client.post('/api/lines', trial('t6'))).toMatchObject(limitReached);
  expect(await quote()).toMatchObject({ cost: 0, trials_left: 0 });

  await panel.services.db
    .updateTable('users')
    .set({ expiry_date: '2026-01-01' })
    .where('owner_id', '=', id)
    .where('username', '=', 't1')
    .execute();
  expect((await client.post('/api/lines', trial('t6'))).status).toBe(201);
  expect(await client.post('/api/lines', trial('t7'))).toMatchObject(limitReached);
});

test('trials side by side cannot pass the limit together', async () => {
  const { client } = await panel.reseller({ credits: 0 });
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, index) => client.post('/api/lines', trial(`race${index}`))),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([
    ...Array(5).fill(201),
    ...Array(7).fill(409),
  ]);
  const { body } = await client.get('/api/lines/counts');
  expect(body).toMatchObject({ all: 5, trials: 5 });
});

test('one account’s trials do not count for another, nor for an administrator', async () => {
  const [one, other] = await Promise.all([panel.reseller(), panel.reseller()]);
  for (let number = 1; number <= 5; number++)
    await one.client.post('/api/lines', trial(`x${number}`));
  expect((await other.client.post('/api/lines', trial('y1'))).status).toBe(201);
  for (let number = 1; number <= 6; number++) {
    expect((await panel.admin.post('/api/lines', trial(`z${number}`))).status).toBe(201);
  }
  const quote = { action: 'create', is_trial: true };
  expect((await panel.admin.post('/api/lines/quote', quote)).body.trials_left).toBeNull();
});
