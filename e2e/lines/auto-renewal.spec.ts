import { expectAccessible } from '../support/accessible.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

test('a line renews itself once its owner says so, and Today shows the credits that lack for it', {
  tag: ['@both'],
}, async ({ page, newAccount }) => {
  const seller = await newAccount({ credits: 3 });
  // It expires in a week, as a trial does that was just sold.
  const { id } = await sellLine(await apiOf(seller), 'monthly', {
    subscription_months: undefined,
    is_trial: true,
  });
  await signIn(page, seller, `/users/${id}`);
  const choice = page.getByRole('combobox', { name: 'Automatic renewal' });
  await expect(choice).toContainText('Off');
  await choice.click();
  await page.getByRole('option', { name: '3 months' }).click();
  await expect(page.getByText('Renews automatically by 3 months.')).toBeVisible();
  await expect(choice).toContainText('3 months');
  await expectAccessible(page);
  await page.goto('/');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention).toContainText('Automatic renewals need 4 credits');
  await expect(attention).toContainText('3 available');
  await page.goto(`/users/${id}`);
  await choice.click();
  await page.getByRole('option', { name: 'Off' }).click();
  await expect(page.getByText('Automatic renewal is off.')).toBeVisible();
});
