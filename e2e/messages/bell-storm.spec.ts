import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Api } from '../support/api.ts';
import { storeDirectly } from '../support/database.ts';
import { resultOf } from '../support/results.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import type { Account } from '../support/test.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const STORM = 150;
const CUTS = 5;
const SHOWN = 20;

interface Stored {
  kind: string;
  title: string;
  link: string;
}

const store = (reader: Account, notices: Stored[]) =>
  storeDirectly(
    notices.map(({ kind, title, link }) => [
      `insert into notifications (id, account_id, kind, title, content, link)
        values ($1, $2, $3, $4, 'Something to read', $5)`,
      [randomUUID(), reader.id, kind, title, link],
    ]),
  );

const bell = (page: Page) =>
  page.getByRole('banner').getByRole('button', { name: /^Notifications$|unread message/ });
const popup = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

/**
 * Records the last text of results about unread messages, and the highest number of such results at one time: each
 * disappears after a few seconds, which on a busy machine may be before the test looks.
 */
async function watchResults(page: Page) {
  await page.evaluate(() => {
    const seen = { last: '', most: 0 };
    Object.assign(window, { seenResults: seen });
    new MutationObserver(() => {
      const shown = [...document.querySelectorAll('header [role="status"] > *')]
        .map(({ textContent }) => textContent ?? '')
        .filter((text) => text.includes('unread messages'));
      seen.most = Math.max(seen.most, shown.length);
      seen.last = shown.at(-1) ?? seen.last;
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () =>
    page.evaluate(
      () => (window as unknown as { seenResults: { last: string; most: number } }).seenResults,
    );
}

/** Notifications that exist when the page opens are not new. */
async function openPage(page: Page, reader: Account, path: string): Promise<void> {
  const first = page.waitForResponse(/\/api\/notifications\?/);
  await signIn(page, reader, path);
  await first;
}

test('in a storm with a connection that is cut, the bell lists each once and says 99+', {
  tag: ['@thorough', '@spec:2.46'],
}, async ({ page, context, newAccount }) => {
  const reader = await newAccount({ group_id: '3' });
  await openPage(page, reader, '/credits');
  await bell(page).click();
  await expect(popup(page)).toContainText('No notifications yet');
  await page.keyboard.press('Escape');
  // The result is drawn by code that is loaded later: if the connection were cut before, the page
  // would show no result until a reload.
  await store(reader, [{ kind: 'mail', title: 'Before', link: '/' }]);
  await expect(resultOf(page, 'Before')).toBeVisible();
  await bell(page).click();
  await expect(popup(page)).toContainText('Before');
  const seenResults = await watchResults(page);
  const notices = Array.from({ length: STORM }, (_, number) => ({
    kind: 'mail',
    title: `Storm ${number}.`,
    link: '/payments/pricing',
  }));
  const share = STORM / CUTS;
  for (let cut = 0; cut < CUTS; cut++) {
    const batch = notices.slice(cut * share, (cut + 1) * share);
    await store(reader, batch.slice(0, share / 3));
    await context.setOffline(true);
    await store(reader, batch.slice(share / 3, (2 * share) / 3));
    await context.setOffline(false);
    await store(reader, batch.slice((2 * share) / 3));
  }
  const titles = popup(page).getByRole('listitem').getByRole('link');
  const newest = notices.slice(-SHOWN).toReversed();
  await expect(titles).toHaveText(newest.map(({ title }) => new RegExp(`^${title} unread$`)));
  await expect(popup(page)).toContainText('You have 99+ unread messages');
  await popup(page).getByRole('link', { name: 'View All' }).click();
  await expect(bell(page)).toHaveAccessibleName('You have 99+ unread messages');
  await expect(page.getByRole('banner').getByText('99+', { exact: true })).toBeVisible();
  // One result contains the number of messages.
  await expect.poll(async () => (await seenResults()).last).toBe('You have 99+ unread messages');
  expect((await seenResults()).most).toBe(1);
});

test('an old one that moves up into the list is not announced', async ({
  page,
  admin,
  newAccount,
}) => {
  const reader = await newAccount({ group_id: '3' });
  const told = { is_global: false, recipient_id: reader.id };
  await store(
    reader,
    Array.from({ length: SHOWN + 5 }, (_, number) => ({
      kind: 'mail',
      title: `Old ${number}.`,
      link: '/',
    })),
  );
  const { message } = await admin.post('/api/messages', {
    title: 'Withdrawn',
    content: 'x',
    ...told,
  });
  await openPage(page, reader, '/credits');
  const entries = popup(page).getByRole('listitem');
  await bell(page).click();
  await expect(entries.first()).toContainText('Withdrawn');
  await admin.delete(`/api/messages/${message.id}`);
  await expect(entries.first()).toContainText(`Old ${SHOWN + 4}.`);
  await expect(entries).toHaveCount(SHOWN);
  await page.keyboard.press('Escape');
  await admin.post('/api/messages', { title: 'Really new', content: 'x', ...told });
  await expect(resultOf(page, 'Really new')).toBeVisible();
  await expect(resultOf(page, 'Old')).toHaveCount(0);
});

interface Rings {
  what: string;
  group: string;
  icon: string;
  opens: RegExp;
  /** Causes the notification, and returns its title. */
  ring(reader: Account, admin: Api): Promise<string>;
}

const stored = (notice: Stored) => async (reader: Account) => {
  const title = `${notice.title} ${unique()}`;
  await store(reader, [{ ...notice, title }]);
  return title;
};

const kinds: Rings[] = [
  {
    what: 'a message',
    group: '3',
    icon: 'lucide-mail',
    opens: /\/messages\?message=[0-9a-f-]{36}$/,
    ring: async ({ id: recipient_id }, admin) => {
      const content = 'Something to read';
      await admin.post('/api/messages', {
        title: 'Hello',
        content,
        is_global: false,
        recipient_id,
      });
      return 'Hello';
    },
  },
  {
    what: 'the reply to a ticket',
    group: '3',
    icon: 'lucide-message-square-reply',
    opens: /\/tickets\/[0-9a-f-]{36}$/,
    ring: async (reader, admin) => {
      const owner = await apiOf(reader);
      const { ticket } = await owner.post('/api/tickets', { title: 'Slow', description: 'Very' });
      await admin.post(`/api/tickets/${ticket.id}/replies`, { content: 'Looking into it' });
      return 'Slow';
    },
  },
  {
    what: 'credits added',
    group: '2',
    icon: 'lucide-coins',
    opens: /\/credits$/,
    ring: async ({ id }, admin) => {
      await admin.post(`/api/accounts/${id}/credits`, { amount: 7 });
      return '7';
    },
  },
  {
    what: 'a top-up decided',
    group: '2',
    icon: 'lucide-coins',
    opens: /\/payments\/pricing\?.*q=TU-2026-000001/,
    ring: stored({
      kind: 'order-placed',
      title: 'Top-up approved',
      link: '/payments/pricing?q=TU-2026-000001',
    }),
  },
  {
    what: 'a new account below',
    group: '2',
    icon: 'lucide-user-plus',
    opens: /\/accounts\/[0-9a-f-]{36}$/,
    ring: async (reader) => {
      const seller = await apiOf(reader);
      const email = `below-${unique()}@bell.example`;
      const password = 'heron-on-the-lake-9';
      const between = { email: `between-${email}`, password };
      await seller.post('/api/accounts', { ...between, group_id: '2' });
      await (await apiOf(between)).post('/api/accounts', { email, password, group_id: '3' });
      return email;
    },
  },
  {
    what: 'lines about to expire',
    group: '2',
    icon: 'lucide-calendar-clock',
    opens: /\/users\/all\?.*expires=3d/,
    ring: stored({ kind: 'mail', title: '2 lines expire soon', link: '/users/all?expires=3d' }),
  },
  {
    what: 'a server in error',
    group: '1',
    icon: 'lucide-triangle-alert',
    opens: /\/cccam-servers\/manage$/,
    ring: stored({ kind: 'mail', title: 'Server error', link: '/cccam-servers/manage' }),
  },
  {
    what: 'a low balance',
    group: '2',
    icon: 'lucide-wallet',
    opens: /\/payments\/pricing$/,
    ring: stored({ kind: 'mail', title: 'Low balance', link: '/payments/pricing' }),
  },
  {
    what: 'a message of the contact form',
    group: '1',
    icon: 'lucide-mail',
    opens: /\/support\/contact/,
    ring: stored({ kind: 'mail', title: 'Message from Rui', link: '/support/contact' }),
  },
  {
    what: 'two-factor sign-in turned off',
    group: '3',
    icon: 'lucide-shield-alert',
    opens: /\/profile\/edit$/,
    ring: stored({ kind: 'mail', title: 'Two-factor turned off', link: '/profile/edit' }),
  },
];

for (const { what, group, icon, opens, ring } of kinds) {
  test(`${what} rings at once, with its icon, and opens what it is about`, {
    tag: ['@thorough', '@spec:2.51', '@spec:3.31'],
  }, async ({ page, admin, newAccount }) => {
    const reader = await newAccount({ group_id: group });
    await openPage(page, reader, '/profile/edit#bell');
    const title = await ring(reader, admin);
    await expect(resultOf(page, title).first()).toBeVisible();
    await expect(bell(page)).toHaveAccessibleName(/^You have \d+ unread message/);
    await bell(page).click();
    const entry = popup(page).getByRole('listitem').filter({ hasText: title });
    await expect(entry).toHaveCount(1);
    await expect(entry.locator(`svg.${icon}`)).toHaveCount(1);
    await expect(entry).toHaveAttribute('data-unread', 'true');
    await entry.getByRole('link').click();
    await expect(page).toHaveURL(opens);
    await bell(page).click();
    await expect(entry).not.toHaveAttribute('data-unread', 'true');
  });
}
