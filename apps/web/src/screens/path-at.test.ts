import { expect, it } from 'vitest';
import { screenAt } from './screens.ts';

const ID = '0b54ef2c-9d0f-4f0e-8d1f-5f1b6b1f1c11';

it.each([
  ['/', '/'],
  ['/users/all', '/users/all'],
  ['/users/all/', '/users/all'],
  ['/Users/All', '/users/all'],
  ['/users/add', '/users/add'],
  [`/users/${ID}`, '/users/$id'],
  [`/users/tell/${ID.toUpperCase()}/`, '/users/tell/$id'],
  [`/cccam-servers/${ID}/lines`, '/cccam-servers/$id/lines'],
  ['/manage-groups/1', '/manage-groups/$id'],
  // The address only redirects to the part of the line.
  [`/users/edit/${ID}`, undefined],
  [`/users/${ID}/more`, undefined],
  ['/users/nobody', undefined],
  ['/nowhere', undefined],
])('finds at %j the screen of %j', (pathname, path) => {
  expect(screenAt(pathname)?.path).toBe(path);
});
