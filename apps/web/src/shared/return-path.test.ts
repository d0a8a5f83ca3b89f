import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { safeReturnPath } from './return-path.ts';

beforeAll(() => vi.stubGlobal('location', new URL('https://panel.example/sign-in')));
afterAll(() => vi.unstubAllGlobals());

it('takes a path of the panel', () => {
  expect(safeReturnPath('/users/all?expires=7d#main')).toBe('/users/all?expires=7d#main');
});

it.each([
  undefined,
  '',
  'users/all',
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '/sign-in?to=/sign-in',
])('leads home from %j', (to) => {
  expect(safeReturnPath(to)).toBe('/');
});
