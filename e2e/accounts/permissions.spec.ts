import { expect, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { Api } from '../support/api.ts';
import { panelUrl } from '../support/panel.ts';
import { accounts } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';
import { unique } from '../support/unique.ts';

let admin: Api;
test.beforeAll(async () => {
  admin = await new Api(panelUrl).signIn(accounts.admin);
});

async function memberOf(...permissions: string[]) {
  const stamp = unique();
  const { group } = await admin.post('/api/groups', { name: `Powers ${stamp}`, permissions });
  const own = { email: `powers-${stamp}@linekeeper.example`, password: 'stork-on-the-roof-2' };
  const { account } = await admin.post('/api/accounts', { ...own, group_id: group.id });
  return { ...own, id: account.id };
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test.describe(`${viewport.width} px wide`, () => {
    test.use({ viewport });

    test('view_resellers reads all accounts, and is offered nothing else', async ({ page }) => {
      const other = await memberOf();
      await signIn(page, await memberOf('view_resellers'), `/accounts?q=${other.email}`);
      await expect(page.getByRole('heading', { level: 1, name: 'All accounts' })).toBeVisible();
      await expect(page.getByText(other.email).first()).toBeVisible();
      await expect(page.getByRole('link', { name: 'Add account' })).toHaveCount(0);
      await expect(page.getByRole('button', { name: /^Add credits/ })).toHaveCount(0);
      await expectAccessible(page);
      await page.goto(`/accounts/${other.id}?tab=lines`);
      const tabs = page.getByRole('navigation', { name: 'Account sections' });
      await expect(tabs.getByRole('link', { name: 'Overview' })).toHaveAttribute(
        'aria-current',
        'page',
      );
      await expect(tabs.getByRole('link')).toHaveCount(2);
      await expect(page.getByRole('heading', { name: 'No access' })).toHaveCount(0);
      await page.goto('/resellers');
      await expect(page.getByText('only accessible to administrators')).toBeVisible();
    });

    test('view_groups reads groups and changes none', async ({ page }) => {
      await signIn(page, await memberOf('view_groups'), '/manage-groups');
      await expect(page.getByRole('heading', { level: 1, name: 'Manage Groups' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Add group' })).toHaveCount(0);
      await page.goto('/manage-groups/2');
      await expect(page.getByRole('checkbox', { name: 'Add credits' })).toBeChecked();
      await expect(page.getByRole('checkbox', { name: 'Add credits' })).toBeDisabled();
      await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
      await expectAccessible(page);
    });
  });
}

test('credits are offered below oneself alone', async ({ page }) => {
  const seller = await memberOf('view_resellers', 'add_credits');
  const other = await memberOf('view_users');
  const api = await new Api(panelUrl).signIn(seller);
  const below = `below-${unique()}@linekeeper.example`;
  await api.post('/api/accounts', { email: below, password: 'stork-on-the-roof-2' });
  await signIn(page, seller, `/accounts?q=${below}`);
  await expect(page.getByRole('button', { name: /^Add credits/ })).toHaveCount(1);
  await page.goto(`/accounts?q=${other.email}`);
  await expect(page.getByText(other.email).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Add credits/ })).toHaveCount(0);
});

test('settings say that the panel sends no mail', async ({ page }) => {
  await signIn(page, await memberOf('view_users'), '/settings');
  await expect(page.getByText('This panel does not send email. Notifications')).toBeVisible();
  await signIn(page, 'admin', '/settings');
  await expect(page.getByText('No email is sent until SMTP_URL is set').first()).toBeVisible();
});
