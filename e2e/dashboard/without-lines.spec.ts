import { expect, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { Api } from '../support/api.ts';
import { panelUrl } from '../support/panel.ts';
import { accounts } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';
import { unique } from '../support/unique.ts';

for (const [name, viewport] of [
  ['desktop', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  test(`on a ${name}, an account without lines is shown how it comes to sell some`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    const admin = await new Api(panelUrl).signIn(accounts.admin);
    const person = { email: `user-${unique()}@dash.example`, password: 'heron-on-the-lake-9' };
    const { account } = await admin.post('/api/accounts', { ...person, group_id: '3' });
    await signIn(page, person);
    const main = page.getByRole('main');
    await expect(main).toContainText('Your account has no lines yet.');
    await expect(main.getByRole('link', { name: 'Add line' })).toHaveCount(0);
    await expect(main.getByRole('link', { name: 'Redeem Code' })).toBeVisible();
    await expect(main).toContainText('Nothing needs your attention.');
    await expectAccessible(page);
    // Credits make a reseller of it, which it sees at once.
    await admin.post(`/api/accounts/${account.id}/credits`, { amount: 25 });
    await expect(main).toContainText('1 of 3 done');
    await expect(main.getByRole('link').filter({ hasText: 'Credits' }).first()).toContainText('25');
    await expect(main.getByRole('link', { name: 'Add line' }).first()).toBeVisible();
  });
}
