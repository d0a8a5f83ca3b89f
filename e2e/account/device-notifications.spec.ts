import { createECDH } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

test.use({ serviceWorkers: 'allow' });

/** Stands in for the browser's push service, which browsers of tests do not have. */
async function givePushService(page: Page, answers: boolean): Promise<void> {
  const pair = createECDH('prime256v1');
  const p256dh = pair.generateKeys('base64url');
  const keys = { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' };
  await page.addInitScript(
    (subscription) => {
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
      Notification.requestPermission = async () => 'granted';
      PushManager.prototype.getSubscription = async () => null;
      PushManager.prototype.subscribe = async () => {
        if (!subscription) throw new DOMException('push service error', 'AbortError');
        return { toJSON: () => subscription } as unknown as PushSubscription;
      };
    },
    answers ? { endpoint: 'https://127.0.0.1/push', expirationTime: null, keys } : null,
  );
}

test('notifications on a device are off until they are turned on', { tag: '@both' }, async ({
  page,
  newAccount,
}) => {
  await givePushService(page, true);
  await signIn(page, await newAccount(), '/settings#devices');
  const own = page.getByRole('switch', { name: 'Notifications on this device' });
  const lowBalance = page
    .getByRole('group', { name: 'On all your devices' })
    .getByRole('switch', { name: 'Low balance' });
  await expect(own).not.toBeChecked();
  await expect(lowBalance).toBeHidden();

  await own.click();
  await expect(own).toBeChecked();
  await expect(lowBalance).toBeChecked();
  await expectAccessible(page);
  await lowBalance.click();
  await expect(lowBalance).not.toBeChecked();
  await page.reload();
  await expect(own).toBeChecked();
  await expect(lowBalance).not.toBeChecked();

  await own.click();
  await expect(own).not.toBeChecked();
  await expect(lowBalance).toBeHidden();
});

test('a push service that does not respond is said', async ({ page, newAccount }) => {
  await givePushService(page, false);
  await signIn(page, await newAccount(), '/settings#devices');
  const own = page.getByRole('switch', { name: 'Notifications on this device' });
  await own.click();
  await expect(page.getByText('The browser’s push service did not respond')).toBeVisible();
  await expect(own).not.toBeChecked();
});
