import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { seed } from '../../testing/seed/lines.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
  await seed(panel.services.db, { accounts: 40, lines: 21_000 });
});
afterAll(() => panel?.stop());

test.each([
  ['active', 'status=active', false],
  ['expired', 'status=expired', true],
  ['expiring', 'expires_within=7', true],
  ['trials', 'is_trial=true', true],
])(
  '%s lines are as many as the list says, which counts to 10,000',
  async (figure, query, exact) => {
    const { lines } = (await panel.admin.get('/api/dashboard')).body;
    const { total, total_is_exact } = (await panel.admin.get(`/api/lines?${query}`)).body;
    expect(lines[figure]).toEqual({ total, total_is_exact });
    expect(total_is_exact).toBe(exact);
    if (!exact) expect(total).toBe(10_000);
  },
);
