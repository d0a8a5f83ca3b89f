import { ADMIN_GROUP, can, fixedGroups, RESELLER_GROUP } from '@linekeeper/contract/permissions.ts';
import { Link, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { describe, expect, it } from 'vitest';
import { litPath, visibleItems } from '#app/shell/navigation-items.ts';
import { menu } from './menu.ts';
import { screenIcons } from './screen-icons.ts';
import { type AnyScreen, allScreens, type ScreenName, screens } from './screens.ts';

it('has each path once', () => {
  const addresses = allScreens.flatMap(({ path, index = [] }) => [path, ...index]);
  expect(new Set(addresses).size).toBe(addresses.length);
});

it('names only registered screens as parents', () => {
  const named: (string | undefined)[] = allScreens.flatMap(({ parent }) => parent ?? []);
  for (const name of named) expect(Object.keys(screens)).toContain(name);
});

it('gives every menu entry a text, and single entries an icon', () => {
  for (const item of menu) {
    const names = typeof item === 'string' ? [item] : item.screens;
    for (const name of names) {
      const screen: AnyScreen = screens[name];
      expect(screen.menuText).toBeDefined();
      if (typeof item === 'string') expect(screenIcons[item]).toBeDefined();
    }
  }
});

const actorOf = (groupId: string) => ({
  is_admin: groupId === ADMIN_GROUP,
  permissions: fixedGroups.find(({ id }) => id === groupId)?.permissions ?? [],
});
const admin = actorOf(ADMIN_GROUP);
const seller = actorOf(RESELLER_GROUP);

/** Reached by the account's card and menu; samples by their address and the palette alone. */
const unlit: string[] = [
  '/profile/edit',
  '/profile/texts',
  '/profile/webhooks',
  '/settings',
  '/user',
  '/products',
  '/blog',
];

describe.each([
  ['administrators', admin],
  ['resellers', seller],
])('for %s', (_, actor) => {
  const opened = allScreens.filter(
    ({ access, path }) => access !== 'public' && can(actor, access) && !unlit.includes(path),
  );
  const entries = visibleItems(actor).flatMap((item) => ('links' in item ? item.links : [item]));

  it.each(opened)('$path lights an entry of the navigation', (screen) => {
    expect(entries.map(({ path }) => path)).toContain(litPath(screen, actor));
  });
});

it('lights what a page is part of', () => {
  const lit = (name: ScreenName, actor = admin) => litPath(screens[name], actor);
  expect(lit('article')).toBe('/support/knowledge-base');
  expect(lit('account')).toBe('/resellers');
  expect(lit('account', seller)).toBe('/accounts');
  expect(lit('connectionTest')).toBe('/tickets');
  expect(lit('profile')).toBeUndefined();
});

/**
 * Never called: `@ts-expect-error` makes the type check fail if a misspelt address, parameter or
 * search key compiles.
 */
export function Misspelt() {
  const navigate = useNavigate();
  // @ts-expect-error There is no such screen.
  void navigate({ to: '/users/al' });
  // @ts-expect-error The list has no such filter.
  void navigate({ to: '/users/all', search: { stauts: 'active' } });
  // @ts-expect-error The list has no such order.
  void navigate({ to: '/users/all', search: { sort: 'usrname' } });
  // @ts-expect-error The trial filter is a boolean.
  void navigate({ to: '/users/all', search: { trial: 'yes' } });
  // @ts-expect-error The path needs the line's id.
  void navigate({ to: '/users/$id' });
  // @ts-expect-error No route has this address.
  useSearch({ from: '/shell/users/al' });
  // @ts-expect-error The list's address has no such filter.
  useSearch({ from: '/shell/users/all' }).stauts;
  // @ts-expect-error The screen's address has no such parameter.
  useParams({ from: '/shell/users/$id' }).line;
  return (
    <>
      <Link to="/users/all" search={{ status: 'active' }} />
      <Link to="/users/$id" params={{ id: '1' }} />
      {/* @ts-expect-error There is no such screen. */}
      <Link to="/cccam-servers/mange" />
      {/* @ts-expect-error Another screen's address has no such search. */}
      <Link to="/cccam-servers/sync" search={{ sever: '1' }} />
      {/* @ts-expect-error The parameter is called `id`. */}
      <Link to="/users/$id" params={{ line: '1' }} />
      {/* @ts-expect-error There is no such screen. */}
      <Navigate to="/user/all" />
    </>
  );
}
