import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import type { Account } from '../support/test.ts';
import { expect, test } from '../support/test.ts';
import { codeOf, forgetUsedCodes } from '../support/two-factor.ts';

/** Turns two-factor sign-in on without the page. */
async function withApp(owner: Account) {
  const api = await apiOf(owner);
  const begun = await api.post('/api/auth/two-factor/enable', { password: owner.password });
  await api.post('/api/auth/two-factor/verify', { code: codeOf(begun.secret) });
  await forgetUsedCodes(owner.email);
  return { ...owner, api, secret: begun.secret, codes: begun.recovery_codes as string[] };
}

const codeBox = (page: Page) => page.locator('input[name="code"]');
const card = (page: Page) => page.locator('#two-factor');

async function firstStep(page: Page, { email, password }: Account, to = '/'): Promise<void> {
  await page.goto(`/sign-in?to=${encodeURIComponent(to)}`);
  await page.getByLabel('Email').fill(email);
  await page.locator('input[name="password"]').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
}

test.describe('at both sizes', { tag: '@both' }, () => {
  test('an app is set up with the keyboard, then signing in asks for its code', {
    tag: '@main',
  }, async ({ page, context, newAccount }) => {
    const owner = await newAccount();
    const elsewhere = await apiOf(owner);
    await signIn(page, owner, '/profile/edit');
    await expect(card(page).getByText('Off', { exact: true })).toBeVisible();
    await card(page).getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Two-factor sign-in' });
    await dialog.locator('input[name="password"]').fill('not the password');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('The current password is wrong')).toBeVisible();
    await dialog.locator('input[name="password"]').fill(owner.password);
    const reply = page.waitForResponse(/two-factor\/enable/);
    await page.keyboard.press('Enter');
    const { secret, recovery_codes } = await (await reply).json();
    await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
    await expect(card(page).getByText(secret.match(/.{4}/g).join(' '))).toBeVisible();
    for (const code of recovery_codes) await expect(card(page).getByText(code)).toBeVisible();
    const download = page.waitForEvent('download');
    await card(page).getByRole('button', { name: 'Download' }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file).toContain(owner.email);
    for (const code of recovery_codes) expect(file).toContain(code);
    await expectAccessible(page);

    const turnOn = card(page).getByRole('button', { name: 'Turn on' });
    await expect(turnOn).toHaveAccessibleDescription(/confirm that you have saved/);
    await card(page).getByLabel('I have saved the codes').check();
    const wrong = codeOf(secret).replace(/./g, (digit) => String((Number(digit) + 1) % 10));
    await codeBox(page).focus();
    await page.keyboard.type(wrong);
    await page.keyboard.press('Enter');
    await expect(card(page).getByText('The code is wrong or has already been used')).toBeVisible();
    await expect(codeBox(page)).toBeFocused();
    // Typing into a full field replaces its code.
    await page.keyboard.type(codeOf(secret));
    await page.keyboard.press('Enter');
    await expect(card(page).getByText('Two-factor sign-in is on.')).toBeVisible();
    await expect(card(page).getByText(/8 recovery codes left/)).toBeVisible();
    await expect(card(page).getByText(recovery_codes[0])).toHaveCount(0);
    await expect(elsewhere.get('/api/me')).rejects.toThrow('No authenticated user found');

    await context.clearCookies();
    await page.evaluate(() => localStorage.clear());
    await firstStep(page, owner, '/profile/edit');
    await expect(codeBox(page)).toBeFocused();
    await expect(codeBox(page)).toHaveAttribute('autocomplete', 'one-time-code');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Enter the 6 digits that the app shows')).toBeVisible();
    // The code is pasted with a space, as copied from an app.
    const next = codeOf(secret, 1);
    // The last digit sends the form.
    await codeBox(page).fill(`${next.slice(0, 3)} ${next.slice(3)}`);
    await expect(page).toHaveURL('/profile/edit');
    await expect(card(page).getByText('On', { exact: true })).toBeVisible();
  });

  test('a recovery code signs in, new ones are made, and it is turned off', async ({
    page,
    newAccount,
  }) => {
    const owner = await withApp(await newAccount());
    await firstStep(page, owner, '/profile/edit');
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await expect(page.getByLabel('Recovery code')).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.type((owner.codes[0] ?? '').toLowerCase());
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/profile/edit');
    await expect(card(page).getByText(/7 recovery codes left/)).toBeVisible();

    await card(page).getByRole('button', { name: 'New recovery codes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[name="password"]').fill(owner.password);
    await dialog.getByRole('button', { name: 'Create codes' }).click();
    await expect(card(page).getByText(/8 recovery codes left/)).toBeVisible();
    await expect(card(page).getByRole('listitem')).toHaveCount(8);
    await expectAccessible(page);
    await card(page).getByRole('button', { name: 'Done' }).click();
    await expect(card(page).getByRole('listitem')).toHaveCount(0);

    await card(page).getByRole('button', { name: 'Turn off' }).click();
    await dialog.locator('input[name="password"]').fill(owner.password);
    await dialog.locator('input[name="code"]').fill(codeOf(owner.secret));
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await expect(card(page).getByText('Two-factor sign-in is off.')).toBeVisible();
    await expect(card(page).getByRole('button', { name: 'Set up' })).toBeVisible();
  });
});

test('the second step stays when the page is loaded again, with no secret in storage', async ({
  page,
  newAccount,
}) => {
  const owner = await withApp(await newAccount());
  const kept = page.waitForResponse(/two-factor\/pending/);
  await firstStep(page, owner, '/profile/edit');
  const { challenge } = JSON.parse((await kept).request().postData() ?? '{}');
  expect(challenge.length).toBeGreaterThan(20);
  await page.reload();
  await expect(page.getByText(`Signing in as ${owner.email}`)).toBeVisible();
  await expectAccessible(page);
  const readable = await page.evaluate(() =>
    JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]),
  );
  expect(readable).not.toContain(challenge);
  await page.reload();
  await codeBox(page).fill(codeOf(owner.secret));
  await expect(page).toHaveURL('/profile/edit');
});

test('a second step that took too long says so, after a reload and by itself', async ({
  page,
  newAccount,
}) => {
  const owner = await withApp(await newAccount());
  const tooLong = page.getByText(
    'This sign-in took too long, or too many wrong codes were entered.',
  );
  await page.clock.install();
  await firstStep(page, owner);
  await expect(codeBox(page)).toBeVisible();
  await page.clock.fastForward('05:01');
  await expect(tooLong).toBeVisible();
  await expect(page.getByLabel('Email')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(tooLong).toHaveCount(0);

  await firstStep(page, owner);
  await expect(codeBox(page)).toBeVisible();
  await page.context().clearCookies();
  await page.reload();
  await expect(tooLong).toBeVisible();
});

test('a second step whose file is lost is not told as a refused sign-in', async ({
  page,
  newAccount,
}) => {
  const { email, password } = await withApp(await newAccount());
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.locator('input[name="password"]').fill(password);
  await page.waitForLoadState('networkidle');
  await page.route(/\/assets\/[^/]+\.js$/, (route) => route.abort());
  await page.keyboard.press('Enter');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('This could not be loaded.');
  await expect(alert).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
});

test('leaving the second step is not undone by a reload', async ({ page, newAccount }) => {
  const owner = await withApp(await newAccount());
  await firstStep(page, owner);
  await page.getByRole('button', { name: 'Back to sign-in' }).click();
  await expect(page.getByLabel('Email')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Email')).toBeVisible();
});

test('too many wrong codes lead back to the password', async ({ page, newAccount }) => {
  const owner = await withApp(await newAccount());
  await firstStep(page, owner);
  const wrong = codeOf(owner.secret).replace(/./g, (digit) => String((Number(digit) + 1) % 10));
  const refused = page.getByText('The code is wrong or has already been used');
  for (let time = 1; time <= 5; time++) {
    // Playwright sees a reply before a busy page has even shown that it waits, and keys pressed then are lost. So the
    // test waits for the page's message about each reply, which a new code removes.
    await expect(refused).toHaveCount(time === 1 ? 0 : 1);
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
    await expect(codeBox(page)).toBeFocused();
    const reply = page.waitForResponse(/two-factor\/sign-in/);
    await page.keyboard.type(wrong);
    expect((await reply).status()).toBe(401);
  }
  await expect(page.getByRole('alert')).toContainText('too many wrong codes were entered');
  await expect(page.getByLabel('Email')).toBeVisible();
});

test('going back from the second step leads to the password', async ({ page, newAccount }) => {
  const owner = await withApp(await newAccount());
  await firstStep(page, owner);
  await page.getByRole('button', { name: 'Back to sign-in' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible();
});

test('a session that ends under a form asks for the code too, and keeps what was typed', async ({
  page,
  newAccount,
}) => {
  const owner = await withApp(await newAccount());
  await firstStep(page, owner, '/profile/edit');
  await codeBox(page).fill(codeOf(owner.secret));
  await expect(page).toHaveURL('/profile/edit');
  await page.getByLabel('Full name').fill('Not saved yet');
  await forgetUsedCodes(owner.email);
  await page.context().clearCookies();
  // The test does not click: the page may notice the change first, and then its dialog covers the button.
  await page.getByRole('button', { name: 'Save changes' }).dispatchEvent('click');
  await page
    .getByRole('dialog', { name: 'Your session has ended' })
    .locator('input[name="password"]')
    .fill(owner.password);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'One more step' });
  await expect(dialog.locator('input[name="code"]')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type(codeOf(owner.secret));
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('Full name')).toHaveValue('Not saved yet');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Profile saved')).toBeVisible();
});

test('what follows a success is not told as its failure', async ({ page, newAccount }) => {
  const owner = await withApp(await newAccount());
  await firstStep(page, owner, '/profile/edit');
  await codeBox(page).fill(codeOf(owner.secret));
  await expect(page).toHaveURL('/profile/edit');
  await page.getByLabel('Full name').fill('Not saved yet');
  await page.waitForLoadState('networkidle');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Save changes' }).dispatchEvent('click');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.locator('input[name="password"]').fill(owner.password);
  await page.route(/\/assets\/[^/]+\.js$/, (route) => route.abort());
  await page.keyboard.press('Enter');
  await expect(page.getByText('Done, but the page could not show the result.')).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
});

test('an administrator turns it off for an account that lost its phone', async ({
  page,
  admin,
  newAccount,
}) => {
  const owner = await withApp(await newAccount());
  const { items } = await admin.get(`/api/accounts?q=${owner.email}`);
  await signIn(page, 'admin', `/accounts/${items[0].id}`);
  await page.getByRole('button', { name: `More actions for ${owner.email}` }).click();
  await page.getByRole('menuitem', { name: 'Turn off two-factor sign-in' }).click();
  const dialog = page.getByRole('dialog', { name: /^Turn off two-factor sign-in for/ });
  await expect(dialog).toContainText('All sessions of the account end immediately');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByText(/^Two-factor sign-in is off for /)).toBeVisible();
  const again = await apiOf(owner);
  expect((await again.get('/api/me')).email).toBe(owner.email);
  // Two-factor that is off cannot be turned off.
  await page.getByRole('button', { name: `More actions for ${owner.email}` }).click();
  await expect(page.getByRole('menuitem', { name: 'Ban' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('menuitem', { name: 'Turn off two-factor sign-in' })).toHaveCount(0);
});
