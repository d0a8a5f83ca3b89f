import { expectAccessible } from '../support/accessible.ts';
import { sidewaysOverflow } from '../support/page.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

test('a seller notes who owes, reminds, takes the money and sees the numbers', {
  tag: ['@both', '@main'],
}, async ({ page, newAccount }) => {
  const seller = await newAccount({ credits: 20 });
  const api = await apiOf(seller);
  await api.patch('/api/me/settings', { currency: 'EUR', credit_minor: 100 });
  const username = `owes-${unique()}`.slice(0, 20);
  const payment = { state: 'owes', amount_minor: 3000, currency: 'EUR' };
  const sale = { username, password: 'pw-owes', subscription_months: 1, payment };
  await api.post('/api/lines', { ...sale, name: 'Rui Santos', phone: '+351 21 5550 0173' });
  await signIn(page, seller, '/');
  const owes = page.getByRole('region', { name: 'Owes' });
  await expect(owes).toContainText('30 EUR since today');
  await expectAccessible(page);
  await owes.getByRole('button', { name: 'Remind: Rui Santos' }).click();
  await expect(page.getByRole('menuitem', { name: 'WhatsApp' })).toHaveAttribute(
    'href',
    /^https:\/\/wa\.me\/351215550\d+\?text=.*30/,
  );
  await page.keyboard.press('Escape');
  await owes.getByRole('button', { name: 'Paid: Rui Santos' }).click();
  await expect(owes).toBeHidden();
  await page.goto('/numbers');
  const book = page.getByRole('region', { name: 'Your bookkeeping' });
  await expect(book).toContainText('30 EUR');
  await expect(book).toContainText('28 EUR');
  await expect(book).toContainText('Nobody else can see your bookkeeping');
  expect(await sidewaysOverflow(page)).toBe(0);
  await expectAccessible(page);
});
