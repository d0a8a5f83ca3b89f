import { listPrices } from '@linekeeper/contract/accounts/accounts.ts';
import { getMe, publicSettings } from '@linekeeper/contract/auth/auth.ts';
import { nextLineName } from '@linekeeper/contract/lines/line-changes.ts';
import { countLines, listLines } from '@linekeeper/contract/lines/lines.ts';
import { linesList } from '@linekeeper/contract/lists/lists.ts';
import { getPreferences } from '@linekeeper/contract/lists/preferences.ts';
import { countUnreadNotifications, listNotifications } from '@linekeeper/contract/notifications.ts';
import { serverChoices } from '@linekeeper/contract/servers/choices.ts';
import { expect, test } from 'vitest';
import { SHOWN_IN_BELL } from '#domain/messages/notifications.ts';
import { addressOfCall } from '#platform/api/client.ts';
import { listQuery } from '#screens/address.ts';
import { allScreens } from '#screens/screens.ts';
import { earlyCalls, earlyTexts } from './ahead.ts';

const frame = [
  ...[getMe, getPreferences, publicSettings, countUnreadNotifications].map((call) =>
    addressOfCall(call),
  ),
  addressOfCall(listNotifications, { query: { limit: SHOWN_IN_BELL } }),
];

test('the list asks ahead for what it will ask for', () => {
  const rows = addressOfCall(listLines, { query: listQuery(linesList, {}) });
  const counts = addressOfCall(countLines, { query: { with_below: 'false' } });
  const others = [counts, addressOfCall(serverChoices)];
  expect(earlyCalls('/users/all', '')).toEqual([rows, ...frame, ...others]);
});

test('rows that an address narrows down are not asked for ahead', () => {
  expect(earlyCalls('/users/all', '?status=expired').join()).not.toContain('/api/lines?');
});

test('selling asks ahead for servers, prices and a name', () => {
  const others = [serverChoices, listPrices, nextLineName].map((call) => addressOfCall(call));
  expect(earlyCalls('/users/add', '')).toEqual([...frame, ...others]);
});

test('the texts asked for ahead are those of the screen', () => {
  const inside = allScreens.filter(({ access }) => access !== 'public');
  for (const { path, texts } of inside) {
    const early = earlyTexts(path);
    if (early) expect(texts, path).toContain(early);
  }
  expect(earlyTexts('/users/all')).toBe('lines');
  expect(earlyTexts('/')).toBe('dashboard');
  const outside = allScreens.filter(({ access }) => access === 'public');
  for (const { path } of outside) expect(earlyTexts(path), path).toBeUndefined();
});
