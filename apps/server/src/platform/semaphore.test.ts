import { expect, test } from 'vitest';
import { Semaphore } from './semaphore.ts';

test('lets as many in as may run at once, the others in the order they came, and no more', async () => {
  const semaphore = new Semaphore(2, 3);
  const inside: number[] = [];
  const leaves: (() => void)[] = [];
  const come = async (visitor: number) => {
    const leave = await semaphore.enter();
    if (!leave) return false;
    inside.push(visitor);
    leaves.push(leave);
    return true;
  };
  expect(semaphore.hasRoom).toBe(true);
  const visits = [1, 2, 3, 4, 5, 6].map(come);
  expect(semaphore.hasRoom).toBe(false);
  expect(await visits[5]).toBe(false);
  expect(inside).toEqual([1, 2]);
  for (const visitor of [3, 4, 5]) {
    leaves.shift()?.();
    await visits[visitor - 1];
    expect(inside.at(-1)).toBe(visitor);
  }
  expect(semaphore.isIdle).toBe(false);
  for (const leave of leaves) leave();
  expect(semaphore.isIdle).toBe(true);
  expect(semaphore.hasRoom).toBe(true);
  // A slot was freed, so a caller can enter again.
  expect(await come(7)).toBe(true);
});

test('a slot freed twice is one slot', async () => {
  const semaphore = new Semaphore(1, 5);
  const leave = await semaphore.enter();
  leave?.();
  leave?.();
  const next = await semaphore.enter();
  expect(semaphore.isIdle).toBe(false);
  next?.();
  expect(semaphore.isIdle).toBe(true);
});

test('waiting callers are rejected with the reason, and running ones go on', async () => {
  const semaphore = new Semaphore(1, 5);
  const leave = await semaphore.enter();
  const waiting = [semaphore.enter(), semaphore.enter()];
  semaphore.dismiss(new Error('the database says nothing'));
  for (const turn of waiting) await expect(turn).rejects.toThrow('the database says nothing');
  const late = semaphore.enter();
  leave?.();
  (await late)?.();
  expect(semaphore.isIdle).toBe(true);
});
