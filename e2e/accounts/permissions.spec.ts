import { expectAccessible } from '../support/accessible.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { type Account, test as base, expect } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const test = base.extend<{ memberOf: (...permissions: string[]) => Promise<Account> }>({
  memberOf: ({ admin, newAccount }, use) =>
    use(async (...permissions) => {
      const body = { name: `Powers ${unique()}`, permissions };
      const { group } = await admin.post('/api/groups', body);
      return newAccount({ group_id: group.id });
    }),
});

test.describe('at both sizes', { tag: '@both' }, () => {
  test('view_resellers reads all accounts, and is offered nothing else', async ({
    page,
    memberOf,
  }) => {
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

  test('view_groups reads groups and changes none', async ({ page, memberOf }) => {
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

test('credits are offered below oneself alone', async ({ page, memberOf }) => {
  const seller = await memberOf('view_resellers', 'add_credits');
  const other = await memberOf('view_users');
  const api = await apiOf(seller);
  const below = `below-${unique()}@linekeeper.example`;
  await api.post('/api/accounts', { email: below, password: 'stork-on-the-roof-2' });
  await signIn(page, seller, `/accounts?q=${below}`);
  await expect(page.getByRole('button', { name: /^Add credits/ })).toHaveCount(1);
  await page.goto(`/accounts?q=${other.email}`);
  await expect(page.getByText(other.email).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Add credits/ })).toHaveCount(0);
});

test('settings say that the panel sends no mail', async ({ page, memberOf }) => {
  await signIn(page, await memberOf('view_users'), '/settings');
  await expect(page.getByText('This panel does not send email. Notifications')).toBeVisible();
  await signIn(page, 'admin', '/settings');
  await expect(page.getByText('No email is sent until SMTP_URL is set').first()).toBeVisible();
});
