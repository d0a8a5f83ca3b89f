import { expect, test } from 'vitest';
import { allScreens } from '#screens/screens.ts';
import { outside } from './pages.ts';

test('no screen of visitors loads the frame of the signed-in', () => {
  const visitors = allScreens.filter(({ access }) => access === 'public');
  expect([...outside].sort()).toEqual(visitors.map(({ path }) => path).sort());
});
