import { signInByForm } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

test('an unknown path leads to /404', { tag: '@spec:2.6' }, async ({ page }) => {
  await page.goto('/nowhere/at-all.html');
  await expect(page).toHaveURL('/404');
});

test('a visitor is asked to sign in and then sees the page that was asked for', {
  tag: '@main',
}, async ({ page }) => {
  await page.goto('/users/add');
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByLabel('Email').fill('grazyna@szczesna.example');
  await page.locator('input[name="password"]').fill('grazyna-szczesna-1');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/users/add');
});

test('who signs in anew at once comes back, whatever the ended session had asked for', async ({
  page,
  context,
}) => {
  await signInByForm(page, 'reseller', '/users/add');
  await expect(page.getByLabel('Username')).toBeVisible();
  await context.clearCookies();
  await page.reload();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByLabel('Email').fill('grazyna@szczesna.example');
  await page.locator('input[name="password"]').fill('grazyna-szczesna-1');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Add line' })).toBeVisible();
  await page.getByLabel('Username').fill('stays');
  await expect(page.getByRole('radio', { name: '1 month' })).toBeVisible();
  await expect(page).toHaveURL('/users/add');
});

test('Tab begins at the link past the navigation', async ({ page }) => {
  await signInByForm(page, 'admin');
  for (const path of ['/users/all', '/redeem-codes']) {
    await page.goto(path);
    await expect(page.locator('main').getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('nav [aria-current="page"]').first()).toBeInViewport();
    // The entry is scrolled into view in a task after the page is drawn.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  }
});

for (const address of ['/profile/edit#sessions', '/settings#reminders', '/settings#trials']) {
  test(`a page opens at the part that its address names: ${address}`, async ({ page }) => {
    await signInByForm(page, 'admin');
    await page.goto(address);
    const part = page.locator(new URL(address, 'http://panel').hash);
    await expect(part).toBeInViewport();
    await expect(part).toBeFocused();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(100);
  });
}

for (const to of ['/.//x', '/\\x', '/%2F%2Fx', '/Sign-In/', '/callback', '/%']) {
  test(`who is signed in already is led home from a link to sign in for ${to}`, async ({
    page,
  }) => {
    await signInByForm(page, 'user');
    await page.goto(`/sign-in?to=${encodeURIComponent(to)}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await expect(page).toHaveURL('/');
  });
}

test('the index routes lead to their lists', { tag: ['@spec:2.14', '@spec:2.25'] }, async ({
  page,
}) => {
  await signInByForm(page, 'admin', '/users');
  await expect(page).toHaveURL(/\/users\/all/);
  await page.goto('/cccam-servers');
  await expect(page).toHaveURL('/cccam-servers/manage');
});

test('a reseller is refused on a page for administrators', { tag: '@spec:2.62' }, async ({
  page,
}) => {
  await signInByForm(page, 'reseller', '/cccam-servers/manage');
  await expect(
    page.getByText(
      'You do not have permission to access this page. This page is only accessible to administrators.',
    ),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'CCcam Servers' })).toHaveCount(0);
});

test.describe(() => {
  test.use({ viewport: { width: 1000, height: 500 } });
  test('a navigation scrolls to the top and Back restores', { tag: '@spec:2.7' }, async ({
    page,
  }) => {
    await signInByForm(page, 'admin', '/users/all');
    await expect(page.getByRole('rowheader').first()).toBeVisible();
    await page.mouse.move(600, 300);
    await page.mouse.wheel(0, 400);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(200);
    const before = await page.evaluate(() => window.scrollY);
    await page.evaluate(() => document.querySelector<HTMLElement>('a[href="/users/add"]')?.click());
    await expect(page.getByRole('heading', { level: 1, name: 'Add line' })).toBeVisible();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await expect(page.getByRole('rowheader').first()).toBeVisible();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
  });
});

test('a chosen language stays', { tag: '@spec:9.22' }, async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Anmelden' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('app-language'))).toBe('de');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Anmelden' })).toBeVisible();
});

test.describe('a browser that speaks Polish', () => {
  test.use({ locale: 'pl-PL' });
  test('sees the panel in Polish', { tag: '@spec:9.23' }, async ({ page }) => {
    let isAsked = false;
    await page.route('**/api/geo', (route) => {
      isAsked = true;
      return route.fulfill({ json: { country_code: 'DE' } });
    });
    await page.goto('/sign-in');
    await expect(page.locator('html')).toHaveAttribute('lang', /^pl/);
    await page.waitForLoadState('networkidle');
    expect(isAsked).toBe(false);
  });
});

test.describe('a browser whose language the panel lacks', () => {
  test.use({ locale: 'fi-FI' });
  test('sees the panel in English', { tag: '@spec:9.23' }, async ({ page }) => {
    await page.goto('/sign-in');
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  });

  for (const [country, heading, lang] of [
    ['US', 'Sign in', 'en'],
    ['GB', 'Sign in', 'en'],
    ['CA', 'Sign in', 'en'],
    ['AU', 'Sign in', 'en'],
    ['NZ', 'Sign in', 'en'],
    ['DE', 'Anmelden', 'de'],
    ['AT', 'Anmelden', 'de'],
    ['CH', 'Anmelden', 'de'],
    ['PL', 'Logowanie', 'pl'],
    ['PT', 'Iniciar sessão', 'pt-PT'],
    ['BR', 'Iniciar sessão', 'pt-PT'],
    ['FI', 'Sign in', 'en'],
  ]) {
    test(`sees it in the language of its country, ${country}, once that is known`, {
      tag: '@spec:9.24',
    }, async ({ page }) => {
      const asked = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<void>();
      await page.route('**/api/geo', async (route) => {
        asked.resolve();
        await answer.promise;
        await route.fulfill({ json: { country_code: country } });
      });
      await page.goto('/sign-in');
      // The page appears without waiting for the reply.
      await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
      await page.getByLabel('Email').fill('kept@example.org');
      await asked.promise;
      answer.resolve();
      await expect(page.getByRole('heading', { level: 1, name: heading ?? '' })).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('lang', lang ?? '');
      await expect(page.locator('input[name="email"]')).toHaveValue('kept@example.org');
      expect(await page.evaluate(() => localStorage.getItem('app-language'))).toBe(null);
    });
  }

  test('keeps a language that was chosen', async ({ page }) => {
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Polski' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'pl');
    await page.route('**/api/geo', (route) => route.fulfill({ json: { country_code: 'DE' } }));
    await page.reload();
    await page.waitForLoadState('networkidle');
    await expect(page.locator('html')).toHaveAttribute('lang', 'pl');
  });
});

test('signing out leads to the sign-in page and ends the session', {
  tag: ['@spec:2.54', '@spec:4.1'],
}, async ({ page }) => {
  await signInByForm(page, 'user');
  await page.getByRole('button', { name: /account/i }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto('/');
  await expect(page).toHaveURL(/\/sign-in/);
});

test('single keys open pages and help, and can be turned off', async ({ page }) => {
  await signInByForm(page, 'user', '/profile/edit');
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByRole('link', { name: 'Turn off single-key shortcuts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const box = page.getByLabel('Single-key shortcuts');
  await box.click();
  await expect(box).not.toBeChecked();
  await box.blur();
  await page.keyboard.press('?');
  await expect(page.getByText('Setting saved')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(box).toBeChecked();
});

test.describe(() => {
  test.use({ viewport: { width: 1440, height: 700 } });
  test('the entry of the current page is seen in a low window', async ({ page }) => {
    await signInByForm(page, 'admin', '/cccam-servers/sync');
    const entry = page.getByRole('navigation').getByRole('link', { name: 'Manage', exact: true });
    await expect(entry).toBeInViewport({ ratio: 1 });
  });
});
