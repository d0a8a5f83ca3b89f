import type { BrowserContext, Page } from '@playwright/test';
import { Api } from './api.ts';
import { panelUrl } from './panel.ts';
import { accounts, type Person } from './people.ts';

/** A shared account, or one that a test created. */
type Who = Person | { email: string; password: string };

/** An API client with its own session. */
export function apiOf(who: Who): Promise<Api> {
  return new Api(panelUrl).signIn(credentialsOf(who));
}

/** Signs in through the form and waits for the panel. */
export async function signInByForm(page: Page, who: Who, to = '/'): Promise<void> {
  const { email, password } = credentialsOf(who);
  await page.goto(`/sign-in?to=${encodeURIComponent(to)}`);
  await page.getByLabel('Email').fill(email);
  await page.locator('input[name="password"]').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
}

/** The session of each account in this worker, so that a password is checked once instead of in each test. */
const sessions = new Map<string, Promise<string>>();

/** The account that signed in last, by browser context. */
const signedIn = new WeakMap<BrowserContext, string>();

/** Opens `to` with a session. Tests about the sign-in itself use `signInByForm`. */
export async function signIn(page: Page, who: Who, to = '/'): Promise<void> {
  const { email } = credentialsOf(who);
  const before = signedIn.get(page.context());
  // A page that remembers another account would be loaded twice.
  if (before && before !== email && page.url().startsWith(panelUrl)) {
    await page.evaluate(() => localStorage.removeItem(`linekeeper:${location.host}:account`));
  }
  signedIn.set(page.context(), email);
  await giveSession(page, who);
  await page.goto(to);
}

/** Signs in without an open page, which would notice the change. */
export async function giveSession(page: Page, who: Who): Promise<void> {
  const { email } = credentialsOf(who);
  const session = sessions.get(email) ?? apiOf(who).then(({ cookie }) => cookie);
  sessions.set(email, session);
  const [name = '', value = ''] = (await session).split('=', 2);
  await page
    .context()
    .addCookies([{ name, value, url: panelUrl, httpOnly: true, sameSite: 'Lax' }]);
}

function credentialsOf(who: Who): { email: string; password: string } {
  return typeof who === 'string' ? accounts[who] : who;
}
