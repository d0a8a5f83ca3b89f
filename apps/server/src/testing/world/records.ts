import { randomUUID } from 'node:crypto';
import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { sql } from 'kysely';
import { transact } from '../../db/transaction.ts';
import { makeApiKey } from '../../domain/accounts/api-keys.ts';
import { ISSUANCE, moveCredits, SALES } from '../../domain/credits/credits.ts';
import { newWebhookSecret } from '../../features/webhooks/sign.ts';
import { TestClient } from '../client.ts';
import type { TestPanel } from '../panel.ts';
import { bankDetails, packageSample } from '../payments/top-ups.ts';

/** Signs in with a new session. */
export async function signedIn(panel: TestPanel, email: string, password: string) {
  const client = new TestClient(panel.url);
  await client.signIn(email, password);
  return client;
}

/** Adds a sale for one credit, which the account gets first. Returns its id. */
export async function addSale({ services: { db } }: TestPanel, accountId: string): Promise<string> {
  const about = { amount: 1, actor_id: accountId };
  return transact(db, async (tx) => {
    await moveCredits(tx, { ...about, kind: 'mint', from_id: ISSUANCE, to_id: accountId });
    const sale = { ...about, kind: 'sale', from_id: accountId, to_id: SALES } as const;
    return (await moveCredits(tx, sale)).id;
  });
}

/** Adds a redeem code. Returns its id. */
export async function addRedeemCode({ admin }: TestPanel): Promise<string> {
  const { body } = await admin.post('/api/redeem-codes', { credits: 1 });
  return body.codes[0].id;
}

/** Returns its id. */
export async function addActivationCode(
  { services: { db, secrets } }: TestPanel,
  seller_id: string,
): Promise<string> {
  const id = randomUUID();
  const kept = { code: secrets.seal(id, id), code_hash: id, line_id: randomUUID() };
  await db
    .insertInto('activation_codes')
    .values({ id, seller_id, plan_id: STANDARD_PLAN, months: 1, note: null, ...kept })
    .execute();
  return id;
}

/** Adds a debt to the account's bookkeeping. Returns its id. */
export async function addBookEntry(
  { services: { db } }: TestPanel,
  account_id: string,
): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('book_entries')
    .values({ id, account_id, username: 'owing', state: 'owes', amount_minor: 1200 })
    .execute();
  return id;
}

interface WithPassword {
  email: string;
  password: string;
}

/** Signs in once more. Returns the session's id. */
export async function addSession(panel: TestPanel, { email, password }: WithPassword) {
  const client = await signedIn(panel, email, password);
  const { body } = await client.get('/api/auth/sessions');
  return body.items.find(({ is_current }: { is_current: boolean }) => is_current).id;
}

/** Adds an API key. Returns its id. */
export async function addApiKey(
  { services: { db } }: TestPanel,
  account_id: string,
): Promise<string> {
  const id = randomUUID();
  const { start, key_hash } = makeApiKey();
  await db
    .insertInto('api_keys')
    .values({ id, account_id, name: `Key ${id}`, start, key_hash })
    .execute();
  return id;
}

/** Returns its id, which its one delivery has, too. */
export async function addWebhook(
  { services: { db, secrets } }: TestPanel,
  account_id: string,
): Promise<string> {
  const id = randomUUID();
  const secret = secrets.seal(newWebhookSecret(), id);
  // Nothing listens on port 1, so no delivery arrives.
  const webhook = { id, account_id, url: 'http://127.0.0.1:1/', secret };
  await db
    .insertInto('webhooks')
    .values({ ...webhook, events: ['server.up'] })
    .execute();
  const sent = {
    id,
    webhook_id: id,
    event: 'line.created',
    data: '{}',
    next_try_at: null,
  } as const;
  await db.insertInto('webhook_deliveries').values(sent).execute();
  return id;
}

/** A client that uses a new API key of a signed-in account instead of its session. */
export async function withApiKey(client: TestClient): Promise<TestClient> {
  const { body } = await client.post('/api/auth/api-keys', { name: 'A key of the world' });
  const keyed = new TestClient(client.url);
  keyed.apiKey = body.key;
  return keyed;
}

/** Adds an awaited server. Returns its id. */
export async function addAwaited({ admin }: TestPanel): Promise<string> {
  const { body } = await admin.post('/api/servers/awaited', {});
  return body.awaited.id;
}

/** Adds a price list. Returns its id. */
export async function addPriceList(
  { services: { db } }: TestPanel,
  owner_id: string | null,
): Promise<string> {
  const id = randomUUID();
  const list = { id, owner_id, name: 'A list of the world', factor_percent: 120, terms: '[]' };
  await db.insertInto('price_lists').values(list).execute();
  return id;
}

/** Adds a plan without lines. Returns its id. */
export async function addPlan({ services: { db } }: TestPanel): Promise<string> {
  const id = randomUUID();
  const terms = JSON.stringify([{ months: 1, credits: 5, is_offered: true }]);
  await db.insertInto('plans').values({ id, name: 'A plan of the world', terms }).execute();
  return id;
}

/** Adds a package of credits. Returns its id. */
export async function addPackage({ admin }: TestPanel): Promise<string> {
  await admin.patch('/api/settings', bankDetails);
  const { body } = await admin.post('/api/packages', packageSample);
  return body.package.id;
}

/** Adds a ticket. Returns its id. */
export async function addTicket({ services: { db } }: TestPanel, user_id: string): Promise<string> {
  const id = randomUUID();
  const { rows } = await sql<{ number: number }>`
    update ticket_numbers set last_number = last_number + 1
      returning last_number as number`.execute(db);
  const text = { title: `Ticket ${id}`, description: 'Text' };
  await db
    .insertInto('tickets')
    .values({
      ...text,
      id,
      number: rows[0]?.number ?? 0,
      user_id,
      assigned_to: null,
      last_writer_id: user_id,
    })
    .execute();
  return id;
}

/**
 * Stores an attachment of one byte for a ticket, or for none with null, like a file that is
 * uploaded and not sent yet. Returns its id.
 */
export async function addAttachment(
  { services: { db } }: TestPanel,
  account_id: string,
  ticket_id: string | null,
): Promise<string> {
  const id = randomUUID();
  const file = { name: 'a.txt', type: 'text/plain', size: 1, width: null, height: null } as const;
  const place = { ticket_id, reply_id: null, note_id: null };
  await db
    .insertInto('attachments')
    .values({ id, account_id, ...file, ...place, is_whole: true })
    .execute();
  const chunk = { attachment_id: id, position: 0, bytes: Buffer.from('x') };
  await db.insertInto('attachment_chunks').values(chunk).execute();
  return id;
}

/** Adds a canned reply. Returns its id. */
export async function addCannedReply({ admin }: TestPanel): Promise<string> {
  const sample = { title: `Canned ${randomUUID()}`, content: 'Text' };
  const { body } = await admin.post('/api/canned-replies', sample);
  return body.canned_reply.id;
}

/** Adds a pending top-up by bank transfer. Returns its id. */
export async function addTopUp(panel: TestPanel, account_id: string): Promise<string> {
  const id = randomUUID();
  const { name: package_name, ...ordered } = packageSample;
  await sql`
    insert into top_ups (id, number, account_id, package_id, package_name, credits, price_minor,
        currency, method)
      select ${id}, coalesce(max(number), 0) + 1, ${account_id}, ${randomUUID()}, ${package_name},
        ${ordered.credits}, ${ordered.price_minor}, ${ordered.currency}, 'transfer'
      from top_ups`.execute(panel.services.db);
  return id;
}

/** Adds a message of the contact form. Returns its id. */
export async function addContact({ services: { db } }: TestPanel): Promise<string> {
  const id = randomUUID();
  const sent = { name: 'Visitor', email: 'visitor@panel.example', subject: 'Hello' };
  await db
    .insertInto('contact_messages')
    .values({ id, ...sent, message: 'Good day', language: 'en', account_id: null })
    .execute();
  return id;
}

/** Adds a published article. Returns its id. */
export async function addArticle({ admin }: TestPanel): Promise<string> {
  const { body } = await admin.post('/api/articles', {
    title: `Article ${randomUUID()}`,
    body: 'Some text',
    category: 'lines',
    locale: 'en',
    is_published: true,
  });
  return body.article.id;
}

/** Adds a message to one account. Returns its id. */
export async function addMessage({ admin }: TestPanel, recipient_id: string): Promise<string> {
  const message = { title: 'To one', content: 'Text', is_global: false, recipient_id };
  const { body } = await admin.post('/api/messages', message);
  return body.message.id;
}

/** Adds a notification. Returns its id. */
export async function addNotification({ services: { db } }: TestPanel, account_id: string) {
  const id = randomUUID();
  const notification = { id, account_id, kind: 'mail', title: 'Told', content: 'Text' } as const;
  await db
    .insertInto('notifications')
    .values({ ...notification, link: null, said_once: null })
    .execute();
  return id;
}

/** Adds a job that can be neither cancelled nor undone. Returns its id. */
export async function addEndedJob(
  { services: { db } }: TestPanel,
  account_id: string,
): Promise<string> {
  const id = randomUUID();
  const job = { id, account_id, action: 'export', state: 'done', arguments: '{}' } as const;
  await db
    .insertInto('jobs')
    .values({ ...job, undo_of: null, total: 0, finished_at: new Date() })
    .execute();
  return id;
}

/** Adds a group without members. Returns its id. */
export async function addEmptyGroup({ services: { db } }: TestPanel): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('groups')
    .values({ id, name: `Group ${id}` })
    .execute();
  return id;
}
