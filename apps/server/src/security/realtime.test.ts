import type { LiveEvent } from '@linekeeper/contract/live.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { storeLines } from '../testing/lines.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../testing/panel.ts';
import { size } from '../testing/size.ts';
import { openStream, type TestStream } from '../testing/wire/streams.ts';

const EVENTS = size(200, 10_000);
const WRITTEN = 66;
const talk = ['tickets', 'ticket_reads', 'ticket_notes', 'messages', 'message_reads'];

interface Tenant extends TestAccount {
  below: TestAccount;
}

let panel: TestPanel;
let server: string;
let tenants: Tenant[];
const streams: TestStream[] = [];

beforeAll(async () => {
  panel = await startTestPanel();
  server = (await panel.addServer('http://127.0.0.1:1')).id;
  tenants = await Promise.all(
    [1, 2, 3].map(async () => {
      const reseller = await panel.reseller();
      return { ...reseller, below: await panel.below(reseller) };
    }),
  );
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});
afterAll(() => panel?.stop());

async function listen(client = panel.admin): Promise<TestStream> {
  const stream = await openStream(client);
  expect(stream.status).toBe(200);
  streams.push(stream);
  return stream;
}

let lines = 0;
async function addLine({ id }: TestAccount): Promise<string> {
  // Names are in the order of creation, so that the first page of a list sorted by them has the newest.
  const name = `live-${String(lines++).padStart(6, '0')}`;
  const [line = ''] = await storeLines(panel.services.db, id, server, [{ username: name }]);
  return line;
}

const heardIds = ({ events }: TestStream) =>
  events.filter(({ table }) => table === 'users').map(({ id }) => id);

const inserted = (id: string): LiveEvent => ({ table: 'users', op: 'INSERT', id });

test(`of ${EVENTS} events each tenant hears its own subtree’s, in order, and nothing else`, async () => {
  // The events about the setup have arrived once the event about this line has.
  const settled = await listen();
  const first = await addLine(tenants[0]!);
  await eventually(() => expect(heardIds(settled)).toContain(first));
  const own = await Promise.all(tenants.map(({ client }) => listen(client)));
  const under = await listen(tenants[0]!.below.client);
  const all = await listen();
  const made: { owner: number; isBelow: boolean; id: string }[] = [];
  for (let index = 0; index < EVENTS; index++) {
    const owner = (index * 7) % 3;
    const isBelow = index % 2 === 1;
    const tenant = tenants[owner]!;
    made.push({ owner, isBelow, id: await addLine(isBelow ? tenant.below : tenant) });
  }
  const idsOf = (fits: (one: (typeof made)[number]) => boolean) =>
    made.filter(fits).map(({ id }) => id);
  await eventually(() => expect(heardIds(all)).toEqual(idsOf(() => true)));
  for (const [index, stream] of own.entries()) {
    const expected = idsOf(({ owner }) => owner === index).map(inserted);
    await eventually(() => expect(stream.events).toEqual(expected));
  }
  const below = idsOf(({ owner, isBelow }) => owner === 0 && isBelow);
  await eventually(() => expect(heardIds(under)).toEqual(below));
});

test('a statement that changes rows of several tenants names no row to any of them', async () => {
  const [one, other, third] = tenants as [Tenant, Tenant, Tenant];
  const all = await listen();
  const [mine, theirs] = [await addLine(one), await addLine(other)];
  // Afterwards no earlier event can reach a stream that is opened now.
  await eventually(() => expect(heardIds(all)).toEqual([mine, theirs]));
  const [stream, silent] = [await listen(one.client), await listen(third.client)];
  const { db } = panel.services;
  await db.updateTable('users').set({ notes: 'both' }).where('id', 'in', [mine, theirs]).execute();
  const changed = () => heardIds(all).slice(2).toSorted();
  await eventually(() => expect(changed()).toEqual([mine, theirs].toSorted()));
  const hint: LiveEvent = { table: 'users', op: 'UPDATE', id: null };
  await eventually(() => expect(stream.events).toEqual([hint]));
  expect(stream.text()).not.toContain(theirs);
  expect(silent.events).toEqual([]);
});

test('a stream that is revoked midway falls silent at once, and a new one hears again', async () => {
  const [one, other] = tenants as [Tenant, Tenant];
  const [mine, theirs] = [await listen(one.client), await listen(other.client)];
  const before = await addLine(one);
  await eventually(() => expect(heardIds(mine)).toEqual([before]));
  await panel.services.db.deleteFrom('auth_sessions').where('user_id', '=', one.id).execute();
  await mine.ended;
  const missed = await addLine(one);
  const foreign = await addLine(other);
  await eventually(() => expect(heardIds(theirs)).toEqual([foreign]));
  expect(heardIds(mine)).toEqual([before]);

  await one.client.signIn(one.email, one.password);
  const again = await listen(one.client);
  const after = await addLine(one);
  await eventually(() => expect(heardIds(again)).toEqual([after]));
  // Missed changes are in the lists, which browsers refetch at every connection.
  const { body } = await one.client.get('/api/lines?limit=100&sort=-username');
  const listed = body.items.map(({ id }: { id: string }) => id);
  expect(listed).toEqual(expect.arrayContaining([before, missed, after]));
  expect(listed).not.toContain(foreign);
});

test('of what accounts and administrators write to each other, each hears its own and no notes', {
  tags: ['spec:6.11'],
}, async () => {
  const own = await Promise.all(tenants.map(({ client }) => listen(client)));
  const silent = await Promise.all(
    [tenants[0]!.below, await panel.reseller()].map(({ client }) => listen(client)),
  );
  const all = await listen();
  const allowed = tenants.map(() => new Set<string>());
  const admins = new Set<string>();
  const tickets: { id: string; tenant: number }[] = [];
  for (let act = 0; act < WRITTEN; act++) {
    const tenant = (act * 7) % 3;
    const { id: account, client } = tenants[tenant]!;
    if (act < 6) {
      const { body } = await client.post('/api/tickets', { title: 'T', description: 'T' });
      tickets.push({ id: body.ticket.id, tenant });
      allowed[tenant]?.add(body.ticket.id);
      continue;
    }
    const ticket = tickets[act % tickets.length]!;
    const path = `/api/tickets/${ticket.id}`;
    const text = { content: `Text ${act}` };
    const writer = tenants[ticket.tenant]!.client;
    const kinds: (() => Promise<{ status: number; body: Record<string, { id: string }> }>)[] = [
      () => panel.admin.post(`${path}/replies`, text),
      () => writer.post(`${path}/replies`, text),
      () => panel.admin.post(`${path}/replies`, { ...text, is_note: true }),
      () => panel.admin.patch(path, { priority: act % 2 ? 'high' : 'low' }),
      () => writer.post(`${path}/read`),
      () =>
        panel.admin.post('/api/messages', {
          ...{ ...text, title: 'To one', is_global: false, recipient_id: account },
        }),
    ];
    const { status, body } = (await kinds[act % kinds.length]?.()) ?? { status: 0, body: {} };
    expect([200, 201]).toContain(status);
    if (body.message) allowed[tenant]?.add(body.message.id);
    if (body.reply && act % kinds.length === 2) admins.add(ticket.id);
  }
  // The last event that each stream receives.
  const marks = await Promise.all([...tenants, tenants[0]!.below].map(addLine));
  await eventually(() => expect(heardIds(all)).toEqual(expect.arrayContaining(marks)));
  for (const [index, stream] of own.entries()) {
    await eventually(() => expect(heardIds(stream)).toContain(marks[index]));
    const heard = stream.events.filter(({ table }) => talk.includes(table));
    expect(heard.length).toBeGreaterThan(10);
    expect(heard.filter(({ id }) => id === null || !allowed[index]?.has(id))).toEqual([]);
    expect(heard.filter(({ table }) => table === 'ticket_notes')).toEqual([]);
  }
  await eventually(() => expect(heardIds(silent[0]!)).toContain(marks[3]));
  for (const { events } of silent) {
    expect(events.filter(({ table }) => talk.includes(table))).toEqual([]);
  }
  const notes = all.events.filter(({ table }) => table === 'ticket_notes').map(({ id }) => id);
  expect(new Set(notes)).toEqual(admins);
});

test('a hundred streams that come and go leave none behind', async () => {
  const { live } = panel.services;
  await eventually(() => expect(live.streamCount).toBe(0));
  const readers = await Promise.all(Array.from({ length: 5 }, () => panel.reseller()));
  const coming = await Promise.all(
    readers.flatMap(({ client }) => Array.from({ length: 20 }, () => openStream(client))),
  );
  await eventually(() => expect(live.streamCount).toBe(100));
  for (const stream of coming) stream.close();
  await eventually(() => expect(live.streamCount).toBe(0));
});
