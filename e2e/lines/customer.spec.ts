import { expectAccessible } from '../support/accessible.ts';
import { clipboardText } from '../support/page.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

test('a seller writes down a customer, words a text, and writes to the customer with it', {
  tag: ['@main', '@both'],
}, async ({ page, context, newAccount }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const account = await newAccount({ credits: 10 });
  const { id, username } = await sellLine(await apiOf(account), 'beata');
  await signIn(page, account, `/users/${id}`);
  const main = page.getByRole('main');
  const card = main.getByRole('region', { name: 'Customer', exact: true });
  await expect(card).toContainText('No details yet');
  await card.getByRole('button', { name: 'Edit customer' }).click();
  const form = main.getByRole('form', { name: 'Edit customer' });
  await form.getByLabel('Name').fill('Beata Lis');
  await form.getByLabel('Phone').fill('22 CALL ME');
  await form.getByLabel('Customer’s price').fill('12,50');
  await form.getByLabel('Currency').fill('eur');
  await form.getByRole('button', { name: 'Save changes' }).click();
  await expect(form).toContainText('Enter a phone number of 5 to 20 digits');
  await form.getByLabel('Phone').fill('+48 22 5550 0118');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save changes' }).click();
  await expect(card).toContainText('12.50 EUR per month');
  await expect(card).toContainText('+48 22 5550 0118');

  await card.getByRole('link', { name: 'Edit text' }).click();
  await expect(page.getByRole('heading', { name: 'Your texts' })).toBeVisible();
  const text = main.getByRole('textbox', { name: 'Hand-over, in English' });
  await expect(text).toHaveValue(/^Hello \{name\},/);
  await text.fill('Dear ');
  await main.getByRole('button', { name: 'Name', exact: true }).click();
  await expect(text).toHaveValue('Dear {name}');
  await expect(text).toBeFocused();
  await page.keyboard.press('Backspace');
  await expect(text).toHaveValue('Dear ');
  await page.keyboard.type('{nmae}: {c_line} Until {expiry}.');
  await expect(main.getByText('There is no placeholder {nmae}')).toBeVisible();
  const save = page.getByRole('button', { name: 'Save text' });
  await expect(save).toBeDisabled();
  await text.fill('Dear {name}: {c_line}\nOwed: {owes}');
  await expect(main.getByText('All 3 placeholders are known')).toBeVisible();
  const preview = main.getByRole('region', { name: 'What Beata receives' });
  await expect(preview).toContainText('Dear Beata: C: waw2.lines.example 12000 salon-mokotow ••••');
  await expectAccessible(page);
  await save.click();
  await expect(page.getByText('Text saved')).toBeVisible();

  await signIn(page, account, `/users/${id}`);
  await main.getByRole('button', { name: `Copy credentials of ${username}` }).click();
  const filled = new RegExp(`^Dear Beata Lis: C: \\S+ \\d+ ${username} tulip-harbor-92-kite$`);
  await expect.poll(() => clipboardText(page)).toMatch(filled);
  await context.route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }));
  const opened = context.waitForEvent('page');
  await card.getByRole('button', { name: 'Write via WhatsApp' }).click();
  const address = new URL((await opened).url());
  expect(address.pathname).toBe('/482255500118');
  expect(address.searchParams.get('text')).toMatch(filled);
});

test('the default text comes back, and unsaved words are not lost by another tab', async ({
  page,
  newAccount,
}) => {
  const account = await newAccount();
  const api = await apiOf(account);
  await api.put('/api/me/texts', { renewed: { de: 'Danke {name}' } });
  await signIn(page, account, '/profile/texts?kind=renewed');
  const main = page.getByRole('main');
  await main.getByRole('radio', { name: 'Deutsch' }).check();
  const text = main.getByRole('textbox', { name: 'Renewed, in Deutsch' });
  await expect(text).toHaveValue('Danke {name}');
  await text.fill('Danke sehr');
  await main.getByRole('link', { name: 'Reminder' }).click();
  await main.getByRole('link', { name: 'Renewed' }).click();
  await expect(text).toHaveValue('Danke sehr');
  await main.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click();
  await main.getByRole('button', { name: 'Use the default text' }).click();
  await page.getByRole('button', { name: 'Save text' }).click();
  await expect(page.getByText('Text saved')).toBeVisible();
  expect((await api.get('/api/me/texts')).renewed.de).toBeNull();
});
