import type { Page } from '@playwright/test';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

/** Watches the page. The returned function gives the violations of the content policy so far. */
async function watchPolicy(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(window, { refused });
    document.addEventListener('securitypolicyviolation', (event) => {
      refused.push(`${event.effectiveDirective} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  return () => page.evaluate(() => Reflect.get(window, 'refused'));
}

test('no overlay needs a style that the content policy forbids', { tag: '@both' }, async ({
  page,
  isPhone,
}) => {
  const refused = await watchPolicy(page);
  await signIn(page, 'admin', '/users/all?q=annegret.mueller');
  await expect(page.getByText('annegret.mueller', { exact: true }).first()).toBeVisible();
  const button = (name: RegExp) => page.getByRole('button', { name }).first();
  const close = async (role: 'dialog' | 'menu') => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole(role)).toHaveCount(0);
  };

  // On a phone a row opens the line, whose page has the actions of the desktop's menu.
  if (isPhone) {
    await page.getByText('annegret.mueller', { exact: true }).first().click();
    await button(/^Delete/).click();
  } else {
    await button(/^More actions for/).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
  }
  await expect(page.getByRole('dialog')).toBeVisible();
  await close('dialog');
  await button(isPhone ? /^Other duration/ : /^Renew /).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await close('dialog');
  await button(/^Language/).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await close('menu');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await close('dialog');
  if (isPhone) await page.goBack();
  await button(isPhone ? /filter/i : /^Filter/).click();
  await page.getByRole('dialog').getByRole('combobox').first().click();
  await expect(page.getByRole('option').first()).toBeVisible();
  expect(await refused()).toEqual([]);

  await page.goto('/servers/add');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await refused()).toEqual([]);
});

test('the policy refuses a style that is written into the page', async ({ page }) => {
  const refused = await watchPolicy(page);
  await signIn(page, 'admin', '/users/all');
  await page.evaluate(() => document.head.append(document.createElement('style')));
  await page.evaluate(() => {
    const style = document.createElement('style');
    style.textContent = 'body { color: red }';
    document.head.append(style);
  });
  await expect.poll(refused).toContainEqual(expect.stringMatching(/^style-src/));
});
