import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { safeReturnPath } from './return-path.ts';

beforeAll(() => vi.stubGlobal('location', new URL('https://panel.example/sign-in')));
afterAll(() => vi.unstubAllGlobals());

it.each([
  '/users/all?expires=7d#main',
  '/users/all?q=//x',
  '/users/all?q=50%25',
  '/cccam-servers/manage',
])('takes %j, a path of the panel', (to) => {
  expect(safeReturnPath(to)).toBe(to);
});

it('takes out what leads up and stays', () => {
  expect(safeReturnPath('/users/../profile/edit')).toBe('/profile/edit');
});

it.each([
  undefined,
  '',
  'users/all',
  'https://evil.example/',
  'https:/evil.example/',
  'https:evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/.//x',
  '/..//evil.example',
  '/a/..//evil.example',
  '/./\\evil.example',
  '/%2e//evil.example',
  '/%2F%2Fevil.example',
  '/%2Fevil.example',
  '/%5Cevil.example',
  '/.//@evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '/sign-in?to=/sign-in',
  '/sign-in/',
  '/Sign-In',
  '/%73ign-in',
  '/sign-up',
  '/callback?token=x',
  '/404',
  '/%',
  '/%E0%A4%A',
])('leads home from %j', (to) => {
  expect(safeReturnPath(to)).toBe('/');
});
