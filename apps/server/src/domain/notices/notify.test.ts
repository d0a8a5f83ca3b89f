import { liveRules } from '@linekeeper/contract/live.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { transact } from '../../db/transaction.ts';
import { isMailWaiting } from '../../testing/mail/mailbox.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { openEventStream } from '../../testing/wire/streams.ts';
import { checkServer } from '../checks/server-checks.ts';
import { notify } from './notify.ts';

describe.each(databases)('notifications on %s', (kind) => {
  let panel: TestPanel;
  beforeAll(async () => {
    // Emails wait, because nothing listens on the mail server's port.
    panel = await startTestPanel(kind, { SMTP_URL: 'smtp://127.0.0.1:1' });
  });

  const db = () => panel.services.db;
  const told = (account_id: string) =>
    db()
      .selectFrom('notifications')
      .select(['kind', 'title', 'content', 'link', 'is_read'])
      .where('account_id', '=', account_id)
      .orderBy('id')
      .execute();
  const idOf = async (client = panel.admin) => (await client.get('/api/me')).body.id as string;

  test('are part of the transaction that causes them', async () => {
    const { id } = await panel.reseller();
    const notice = {
      event: 'new_account',
      facts: { email: 'x@panel.example' },
      account_id: id,
      link: '/accounts',
    } as const;
    const broken = transact(db(), async (tx) => {
      await notify(tx, [notice]);
      throw new Error('and back');
    });
    await expect(broken).rejects.toThrow('and back');
    expect(await told(id)).toEqual([]);
    await transact(db(), (tx) => notify(tx, [notice]));
    expect(await told(id)).toHaveLength(1);
  });

  test('are heard at once by the account they are for, and by nobody else', async () => {
    const [seller, other] = [await panel.reseller(), await panel.reseller()];
    const between = await panel.below(seller);
    const streams = await Promise.all(
      [seller.client, other.client, panel.admin].map((client) => openEventStream(client)),
    );
    const below = await panel.below(between);
    const [own, ...others] = streams;
    await own?.hears({ table: 'notifications', op: 'INSERT' });
    // Announcements arrive in order, so everything before this one has arrived too.
    await panel.admin.patch(`/api/accounts/${other.id}`, { notes: 'changed' });
    for (const stream of others) {
      await stream.hears({ table: 'auth_users', id: other.id });
      expect(stream.events.filter(({ table }) => table === 'notifications')).toEqual([]);
    }
    for (const stream of streams) stream.close();
    expect(await told(seller.id)).toEqual([
      {
        kind: 'friend-interactive',
        title: `New account: ${below.email}`,
        content: `${below.email} was added below your account.`,
        link: `/accounts/${below.id}`,
        is_read: false,
      },
    ]);
  });

  test('are in the language of the account they are for', async () => {
    const seller = await panel.reseller();
    await seller.client.patch('/api/me/settings', { language: 'de' });
    const below = await panel.below(await panel.below(seller));
    expect((await told(seller.id))[0]?.title).toBe(`Neues Konto: ${below.email}`);
  });

  test('are sent by mail too as chosen, and by default unless they tell of a new account', async () => {
    const seller = await panel.reseller();
    const states = async () =>
      (
        await db()
          .selectFrom('notifications')
          .select(isMailWaiting.as('is_mailed'))
          .where('account_id', '=', seller.id)
          .orderBy('id')
          .execute()
      ).map(({ is_mailed }) => is_mailed);
    const choose = (mails: object) => seller.client.patch('/api/me/settings', { mails });
    const tell = (said_once: string) =>
      transact(db(), (tx) =>
        notify(tx, [
          {
            event: 'low_balance',
            facts: { credits: 1, low_balance: 5 },
            account_id: seller.id,
            link: '/credits',
            said_once,
          },
        ]),
      );
    const between = await panel.below(seller);
    await panel.below(between);
    await tell('first');
    expect(await states()).toEqual([false, true]);
    expect((await choose({ low_balance: false })).body.mails).toMatchObject({
      ...{
        lines_expiring: true,
        address_changed: true,
        low_balance: false,
        server_error: true,
        backup_failed: true,
        new_account: false,
        top_ups: true,
        credits_added: true,
        credits_taken_back: true,
        contact_received: true,
        message: true,
        ticket_replies: true,
        new_tickets: true,
      },
    });
    await choose({ new_account: true });
    await tell('second');
    await panel.below(between);
    expect(await states()).toEqual([false, true, false, true]);
  });

  test('tell every administrator once that a server is in error', async () => {
    const { id } = await panel.addServer('http://127.0.0.1:1', 'Dead one');
    await db()
      .updateTable('cccam_servers')
      .set({ status: 'active', failures: 0 })
      .where('id', '=', id)
      .execute();
    const admin = await idOf();
    const errors = async () =>
      (await told(admin)).filter(({ link }) => link === `/cccam-servers/${id}/health`);
    for (let time = 1; time <= 5; time++) {
      const server = await db()
        .selectFrom('cccam_servers')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      await checkServer(panel.services, server);
      const { status } = (await panel.admin.get(`/api/servers/${id}`)).body;
      expect(await errors()).toHaveLength(status === 'error' ? 1 : 0);
    }
    expect(await errors()).toMatchObject([{ kind: 'mail', title: 'Server error: Dead one' }]);
  });

  test('every live table announces the changes that its row of the list names', async () => {
    const { rows } = await sql<{ table: string; name: string }>`
      select tgrelid::regclass::text as table, tgname::text as name from pg_trigger
        where tgname like 'announce_%'`.execute(db());
    for (const [table, { announces }] of Object.entries(liveRules)) {
      const found = rows.filter((row) => row.table === table).map(({ name }) => name);
      expect(found.sort(), table).toEqual(
        announces.map((op) => `announce_${op.toLowerCase()}`).sort(),
      );
    }
  });
});
