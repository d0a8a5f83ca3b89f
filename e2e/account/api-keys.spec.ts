import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { panelUrl } from '../support/panel.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

const card = (page: Page) => page.locator('#api-keys');
const statusWith = async (key: string) =>
  (await fetch(`${panelUrl}/api/lines`, { headers: { authorization: `Bearer ${key}` } })).status;

async function createKey(page: Page, name: string, lastDay = ''): Promise<string> {
  await card(page).getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Last day').fill(lastDay);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(card(page).getByRole('status')).toContainText(`Key “${name}” created`);
  return (await card(page).locator('code').textContent()) ?? '';
}

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a key is made, shown once, used, and revoked', { tag: '@main' }, async ({
    page,
    newAccount,
  }) => {
    await signIn(page, await newAccount(), '/profile/edit');
    await expect(card(page)).toContainText('No keys yet');
    const key = await createKey(page, 'Stock sync');
    expect(key).toMatch(/^lk_[\w-]{43}$/);
    await expectAccessible(page);
    expect(await statusWith(key)).toBe(200);
    await page.reload();
    const row = card(page).getByRole('listitem').filter({ hasText: 'Stock sync' });
    await expect(row).toContainText(`${key.slice(0, 8)}… · used`);
    await expect(page.getByText(key)).toHaveCount(0);
    await row.getByRole('button', { name: 'Revoke Stock sync' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke “Stock sync”?' });
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Revoke' }).click();
    await expect(card(page)).toContainText('No keys yet');
    expect(await statusWith(key)).toBe(401);
  });
});

test('a last day in the past is refused at its field, and one ahead is shown', async ({
  page,
  newAccount,
}) => {
  await signIn(page, await newAccount(), '/profile/edit');
  await card(page).getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Last day').fill('01-01-2020');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Name').fill('Nightly renewals');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog.getByLabel('Last day')).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog).toContainText(
    'The expiry date must be in the future and at most 5 years away',
  );
  await expectAccessible(page);
  const year = new Date().getUTCFullYear() + 1;
  await dialog.getByLabel('Last day').fill(`28-02-${year}`);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(card(page).getByRole('listitem')).toContainText(`expires 28 Feb ${year}`);
});
