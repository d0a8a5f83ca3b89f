import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { resultOf } from '../support/results.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

/** Imitates a browser that accepts a text for the clipboard only while a click is handled, as WebKit does, or never. */
async function refuseLate(page: Page, takesPromises: boolean): Promise<void> {
  await page.addInitScript((takes) => {
    let isClick = false;
    addEventListener(
      'click',
      () => {
        isClick = true;
        setTimeout(() => {
          isClick = false;
        });
      },
      { capture: true },
    );
    const refuse = () => Promise.reject(new DOMException('Not now', 'NotAllowedError'));
    document.execCommand = () => false;
    navigator.clipboard.writeText = refuse;
    navigator.clipboard.write = async ([item]) => {
      if (!isClick || !takes || !item) return refuse();
      document.body.dataset.copied = await (await item.getType('text/plain')).text();
    };
  }, takesPromises);
}

test.describe('at both sizes', { tag: '@both' }, () => {
  const copy = async (page: Page) => {
    await page.getByRole('link', { name: 'probe-0419', exact: true }).click();
    await page.getByRole('link', { name: 'Receiver', exact: true }).click();
    await page.getByRole('button', { name: 'Copy Password' }).click();
  };

  test('what is fetched first is copied where only a click may copy', async ({ page }) => {
    await refuseLate(page, true);
    await signIn(page, 'reseller', '/users/all?q=probe-0419');
    await copy(page);
    await expect(page.locator('body[data-copied]')).toHaveCount(1);
    expect(await page.evaluate(() => document.body.dataset.copied?.length)).toBeGreaterThan(7);
    await expect(resultOf(page).locator('textarea')).toHaveCount(0);
  });

  test('what the browser does not copy is shown, selected', async ({ page }) => {
    await refuseLate(page, false);
    await signIn(page, 'reseller', '/users/all?q=probe-0419');
    await copy(page);
    const text = page.getByRole('textbox', { name: /copy it yourself/ });
    await expect(text).toBeVisible();
    const value = await text.inputValue();
    expect(value.length).toBeGreaterThan(7);
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(value);
    await expectAccessible(page);
  });
});
