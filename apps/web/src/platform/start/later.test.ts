import { expect, test } from 'vitest';
import { turnToAsk } from './later.tsx';

test('the first request of a task begins at once, each other one in a task of its own', async () => {
  const begun: number[] = [];
  const ask = async (number: number) => {
    await turnToAsk();
    begun.push(number);
  };
  for (const number of [1, 2, 3]) void ask(number);
  // All that runs before the next task.
  for (let tick = 0; tick < 100; tick++) await Promise.resolve();
  expect(begun).toEqual([1]);
  await expect.poll(() => begun).toEqual([1, 2, 3]);
});
