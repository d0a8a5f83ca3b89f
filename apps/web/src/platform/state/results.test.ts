import { expect, it } from 'vitest';
import { following, type Result } from './results.ts';

const many = (count: number) => `${count} lines renewed`;
const renewed = (username: string): Result => ({
  tone: 'success',
  text: `${username} renewed`,
  count: 1,
  kind: { of: 'renew', many },
  action: { label: 'Undo', onClick: () => undefined },
});
const texts = (results: Result[]) => {
  const said: string[] = [];
  results.reduce<Result | undefined>((before, next) => {
    const shown = following(before, next);
    said.push(shown.text);
    return shown;
  }, undefined);
  return said;
};

it('says each of two of a kind, and counts from the third on', () => {
  expect(texts(['a', 'b', 'c', 'd'].map(renewed))).toEqual([
    'a renewed',
    'b renewed',
    '3 lines renewed',
    '4 lines renewed',
  ]);
});

it('counts again after something else was said', () => {
  const other: Result = { tone: 'success', text: 'Copied', count: 1 };
  expect(texts([renewed('a'), renewed('b'), other, renewed('c')])).toEqual([
    'a renewed',
    'b renewed',
    'Copied',
    'c renewed',
  ]);
});

it('has nothing to undo at once where it stands for several', () => {
  const third = following({ ...renewed('b'), count: 2 }, renewed('c'));
  expect(third.action).toBeUndefined();
});
