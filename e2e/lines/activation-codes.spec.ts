import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addMonths, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import { clipboardText, rowOf, sidewaysOverflow } from '../support/page.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

test('a seller makes codes and prints them, and a customer makes a line with one', {
  tag: ['@both', '@main'],
}, async ({ page, context, browser, newAccount, isPhone }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const seller = await newAccount({ credits: 20 });
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await signIn(page, seller, '/activation-codes');
  await expect(page.getByRole('heading', { name: 'Create your first codes' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create codes' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /^3 months/ }).check();
  await dialog.getByLabel('Number of codes').fill('6');
  await expect(dialog.getByText('Not enough credits').first()).toBeVisible();
  await dialog.getByLabel('Number of codes').fill('2');
  await dialog.getByLabel('Note').fill('Shop window');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create for 8 credits' }).click();
  await expect(dialog.getByRole('heading', { name: 'Codes created: 2' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Copy all' }).click();
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
  const [code = '', other = ''] = (await clipboardText(page)).split('\n');
  await dialog.getByRole('button', { name: 'Print cards' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-printed', '');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(/^Enter the code at .+\/activate$/)).toHaveCount(2);
  await page.emulateMedia({ media: null });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(rowOf(page, 'Shop window')).toHaveCount(2);
  await expectAccessible(page);

  const visitor = await browser.newContext({ viewport: page.viewportSize() });
  const customer = await visitor.newPage();
  const name = `card-${unique()}`.slice(0, 20);
  await customer.goto(`/activate#${code}`);
  await expect(customer.getByRole('textbox', { name: 'Code' })).toHaveValue(code);
  await customer.getByRole('button', { name: 'Activate' }).click();
  await expect(customer.getByRole('textbox', { name: 'Username' })).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  await customer.getByRole('textbox', { name: 'Username' }).fill(name);
  await expectAccessible(customer);
  const password = await customer.locator('input[name=password]').inputValue();
  await customer.getByRole('button', { name: 'Activate' }).click();
  await expect(customer.getByRole('heading', { name: 'Your line' })).toBeVisible();
  await expect(customer.getByText(new RegExp(`^C: .+ ${name} ${password}$`))).toBeVisible();
  await expect(customer.getByText(formatDay(addMonths(today(ZONE), 3)))).toBeVisible();
  expect(await sidewaysOverflow(customer)).toBe(0);
  await expectAccessible(customer);
  await customer.goto('/activate');
  await customer.getByRole('textbox', { name: 'Code' }).fill(code.toLowerCase());
  await customer.getByRole('textbox', { name: 'Username' }).fill(`${name}x`.slice(-20));
  await customer.getByRole('button', { name: 'Activate' }).click();
  await expect(customer.getByText('This code has already been used')).toBeVisible();
  // A link that was cut off.
  await customer.goto('/contact');
  await customer.goto('/activate#%');
  await expect(customer.getByRole('textbox', { name: 'Code' })).toHaveValue('%');
  await visitor.close();

  await expect(rowOf(page, name)).toContainText('Used');
  await page.getByRole('link', { name: /^Unused/ }).click();
  await expect(rowOf(page, 'Shop window')).toHaveCount(1);
  await rowOf(page, other)
    .getByRole('button', { name: `Refund code ${other}` })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click();
  await expect(page.getByText(`Code ${other} refunded`)).toBeVisible();
  expect((await (await apiOf(seller)).get('/api/me')).credits).toBe(16);
  expect(isPhone && (await sidewaysOverflow(page))).toBeFalsy();
});
