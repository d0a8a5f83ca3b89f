import type { Plan } from '@linekeeper/contract/credits/plans.ts';
import { expect, it } from 'vitest';
import { AS_IT_IS, bodyOf, changesOf, enteredPlan, enteredRights, planForm } from './plan-form.ts';

const plan: Plan = {
  id: 'full-hd',
  name: 'Full HD',
  description: null,
  position: 10,
  is_offered: true,
  serves: 'all',
  servers: [
    {
      server_id: 'frankfurt',
      server_name: 'Frankfurt 1',
      oscam: { uniq: 2, group: '1,2', max_connections: 1 },
    },
    {
      server_id: 'warsaw',
      server_name: 'Warsaw 2',
      cccam: { uphops: 1, shareemus: false, allowemm: true },
    },
  ],
  terms: [{ months: 1, credits: 3, is_offered: true }],
  lines: 3,
  updated_at: '2026-11-30T10:00:00.000Z',
};
const entered = enteredPlan(plan, 2);

it('sends nothing of a plan in which nothing was changed', () => {
  expect(changesOf(plan, entered)).toEqual({});
});

it('does not say what is left empty', () => {
  const parsed = planForm.parse({
    ...entered,
    servers: [enteredRights({ server_id: 'lisbon' }), ...entered.servers],
  });
  expect(bodyOf(parsed).servers).toEqual([
    { server_id: 'lisbon' },
    { server_id: 'frankfurt', oscam: { uniq: 2, group: '1,2', max_connections: 1 } },
    { server_id: 'warsaw', cccam: { uphops: 1, shareemus: false, allowemm: true } },
  ]);
});

it('sends all servers if a right of one is taken back', () => {
  const servers = structuredClone(entered.servers);
  for (const { oscam } of servers) Object.assign(oscam, { group: null, uniq: AS_IT_IS });
  expect(changesOf(plan, { ...entered, name: 'UHD', servers })).toEqual({
    name: 'UHD',
    servers: [
      { server_id: 'frankfurt', oscam: { max_connections: 1 } },
      { server_id: 'warsaw', cccam: { uphops: 1, shareemus: false, allowemm: true } },
    ],
  });
});

it('knows no changes as long as a field is wrong', () => {
  expect(changesOf(plan, { ...entered, name: '' })).toBeUndefined();
});
