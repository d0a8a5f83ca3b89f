import { expect, it } from 'vitest';
import { pricesByPlan } from './plan-prices.ts';

const price = (plan_id: string, months: number) => ({ plan_id, months, cost: months, from: null });
const names = new Map([
  ['standard', 'Standard'],
  ['sport', 'Sport'],
]);

it('orders prices by plan and names the plans', () => {
  const found = pricesByPlan([price('sport', 1), price('standard', 1), price('sport', 3)], names);
  expect(found).toEqual([
    { plan_id: 'standard', name: 'Standard', prices: [price('standard', 1)] },
    { plan_id: 'sport', name: 'Sport', prices: [price('sport', 1), price('sport', 3)] },
  ]);
});

it('does not name the only plan', () => {
  expect(pricesByPlan([price('standard', 1)], names)).toEqual([
    { plan_id: 'standard', name: undefined, prices: [price('standard', 1)] },
  ]);
});
