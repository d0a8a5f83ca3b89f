import type { Page } from '@playwright/test';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addDays, formatDay, today } from '../../packages/contract/src/dates.ts';
import { delayRequests } from '../support/requests.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const stamp = unique();
const seller = { email: `chooser-${stamp}@linekeeper.example`, password: 'chooser-41-kite' };
const LINES = 28;
const nameOf = (index: number) => `chosen-${stamp}-${String(index).padStart(2, '0')}`;
/** One line expires within the week, the others later. */
const daysLeft = (index: number) => (index === 1 ? 3 : 90);
const ids: string[] = [];

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ admin }) => {
  const { account } = await admin.post('/api/accounts', { ...seller, group_id: '2' });
  for (let index = 1; index <= LINES; index++) {
    const { line } = await admin.post('/api/lines', {
      username: nameOf(index),
      password: `tulip-harbor-${index}`,
      expiry_date: formatDay(addDays(today(ZONE), daysLeft(index))),
      owner_id: account.id,
    });
    ids[index] = line.id;
  }
});

const view = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });
const box = (page: Page, index: number) =>
  page.getByRole('checkbox', { name: `Select ${nameOf(index)}`, exact: true });
const all = (page: Page) => page.getByRole('checkbox', { name: 'Select all on this page' });
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });

/** The current centre of an element, to click there after something else has taken its place. */
async function placeOf(target: ReturnType<typeof box>): Promise<[number, number]> {
  await expect(target).toBeVisible();
  const place = await target.boundingBox();
  if (!place) throw new Error('it is not shown');
  return [place.x + place.width / 2, place.y + place.height / 2];
}

test('a selection ends with its view, and does not come back with it', async ({ page }) => {
  await signIn(page, seller, '/users/all?sort=username');
  await box(page, 2).check();
  await expect(bar(page)).toContainText('1 selected');
  await view(page, /^Expired/).click();
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  await view(page, /^All/).click();
  await expect(box(page, 2)).not.toBeChecked();
  await expect(bar(page)).toHaveCount(0);
});

test('a selection is kept from page to page', { tag: '@main' }, async ({ page }) => {
  await signIn(page, seller, '/users/all?sort=username');
  await box(page, 1).check();
  await page.getByRole('button', { name: 'Next page' }).click();
  await box(page, 26).check();
  await expect(bar(page)).toContainText('2 selected');
});

test('a selected line that leaves the view is deselected', async ({ page, admin }) => {
  await signIn(page, seller, '/users/all?expires=7d');
  await box(page, 1).check();
  const later = (days: number) => ({ expiry_date: formatDay(addDays(today(ZONE), days)) });
  await admin.patch(`/api/lines/${ids[1]}`, later(90));
  await expect(page.getByRole('heading', { name: 'All renewed' })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  await admin.patch(`/api/lines/${ids[1]}`, later(daysLeft(1)));
});

test('rows of the view before cannot be chosen under the next', async ({ page }) => {
  await signIn(page, seller, '/users/all?sort=username');
  const places = [await placeOf(box(page, 3)), await placeOf(all(page))];
  const answer = await delayRequests(page, /\/api\/lines\?.*expires_within=7/);
  await view(page, /^≤7 days/).click();
  await expect(view(page, /^≤7 days/)).toHaveAttribute('aria-current', 'page');
  for (const [x, y] of places) await page.mouse.click(x, y);
  await expect(page.getByText(nameOf(3))).toBeVisible();
  await answer();
  await expect(page.getByText(nameOf(3))).toHaveCount(0);
  await expect(box(page, 1)).not.toBeChecked();
  await expect(bar(page)).toHaveCount(0);
});

test('pressing Next twice while a page loads goes on by one page', async ({ page }) => {
  await signIn(page, seller, '/users/all?sort=username');
  await expect(page.getByText(`1–25 of ${LINES}`)).toBeVisible();
  const answer = await delayRequests(page, /\/api\/lines\?.*cursor=/);
  const next = page.getByRole('button', { name: 'Next page' });
  await next.click();
  await expect(page).toHaveURL(/cursor=/);
  await next.click({ force: true });
  await answer();
  await expect(page.getByText(`26–${LINES} of ${LINES}`)).toBeVisible();
});

test.describe('on a phone', { tag: '@phone' }, () => {
  test('a selection ends with the search', async ({ page }) => {
    await signIn(page, seller, '/users/all?sort=username');
    await box(page, 2).check();
    await expect(bar(page)).toContainText('1 selected');
    await page.getByRole('searchbox').fill(nameOf(2));
    await expect(page.getByText(nameOf(1))).toHaveCount(0);
    await expect(box(page, 2)).not.toBeChecked();
    await expect(bar(page)).toHaveCount(0);
  });

  test('cards of the view before cannot be chosen under the next', async ({ page }) => {
    await signIn(page, seller, '/users/all?sort=username');
    const [x, y] = await placeOf(box(page, 1));
    const answer = await delayRequests(page, /\/api\/lines\?.*expires_within=7/);
    await view(page, /^≤7 days/).click();
    await expect(view(page, /^≤7 days/)).toHaveAttribute('aria-current', 'page');
    await page.mouse.click(x, y);
    await expect(page.getByText(nameOf(2))).toBeVisible();
    await answer();
    await expect(page.getByText(nameOf(2))).toHaveCount(0);
    await expect(box(page, 1)).not.toBeChecked();
    await expect(bar(page)).toHaveCount(0);
  });
});
