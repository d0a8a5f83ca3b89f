import { expectAccessible } from '../support/accessible.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

test('an account without lines is shown how it comes to sell some', { tag: '@both' }, async ({
  page,
  admin,
  newAccount,
}) => {
  const account = await newAccount({ group_id: '3' });
  await signIn(page, account);
  const main = page.getByRole('main');
  await expect(main).toContainText('Your account has no lines yet.');
  await expect(main.getByRole('link', { name: 'Add line' })).toHaveCount(0);
  await expect(main.getByRole('link', { name: 'Redeem Code' })).toBeVisible();
  await expect(main.getByRole('region', { name: 'Needs attention' })).toHaveCount(0);
  await expectAccessible(page);
  // The account becomes a reseller with its first credits, and sees this immediately.
  await admin.post(`/api/accounts/${account.id}/credits`, { amount: 25 });
  await expect(main).toContainText('1 of 2 done');
  await expect(main.getByRole('link').filter({ hasText: 'Credits' }).first()).toContainText('25');
  await expect(main.getByRole('link', { name: 'Add line' }).first()).toBeVisible();
});
