// @module-tag thorough

import {
  ATTACHMENT_QUOTA_BYTES,
  MAX_ATTACHMENT_BYTES,
  MAX_UPLOADS_AN_HOUR,
} from '@linekeeper/contract/tickets/attachments.ts';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { healClock } from '../../../heal-clock.ts';
import type { TestClient } from '../../../testing/client.ts';
import { countFiles, download, pngOf, upload, uploadText } from '../../../testing/files/files.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';
import { deleteUnattached, reuseFreedSpace } from './store.ts';

const NOTHING = { files: 0, chunks: 0 };

describe.each(databases)('attachments on %s', (kind) => {
  let panel: TestPanel;
  let owner: TestAccount;
  let other: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    owner = await panel.reseller();
    other = await panel.reseller();
  });
  afterEach(async () => {
    await panel.services.db.deleteFrom('attachments').execute();
    await panel.services.db.deleteFrom('rate_limits').execute();
  });

  const open = (attachment_ids: unknown = [], { client } = owner) =>
    client.post('/api/tickets', { title: 'No picture', description: 'See', attachment_ids });
  const openOne = async () => (await open()).body.ticket.id as string;
  const reply = (id: string, attachment_ids: unknown, client = owner.client, more = {}) =>
    client.post(`/api/tickets/${id}/replies`, { content: 'See', attachment_ids, ...more });
  const lines = async (id: string, client: TestClient) =>
    (await client.get(`/api/tickets/${id}/replies`)).body.items;
  const status = async (id: string, client: TestClient) => (await download(client, id)).status;
  const idsOf = (files: { id: string }[]) => files.map(({ id }) => id);

  test('stand with the reply that names them, in its order', { tags: ['spec:3.29'] }, async () => {
    const ticket = await openOne();
    const ids = [];
    for (const name of ['c.txt', 'a.txt', 'b.txt']) {
      ids.push(await uploadText(owner.client, name, name));
    }
    const wanted = ids.toReversed();
    const { status, body } = await reply(ticket, wanted);
    expect(status).toBe(201);
    expect(idsOf(body.reply.attachments)).toEqual(wanted);
    expect(body.reply.attachment_url).toBe(`/api/attachments/${wanted[0]}`);
    await reply(ticket, []);
    for (const client of [owner.client, panel.admin]) {
      const [first, second] = await lines(ticket, client);
      expect(first.attachments).toEqual(body.reply.attachments);
      expect([second.attachments, second.attachment_url]).toEqual([[], null]);
    }
    expect((await panel.admin.get(`/api/tickets/${ticket}`)).body.ticket.attachments).toEqual([]);
  });

  test('stand with a new ticket', async () => {
    const ids = [await uploadText(owner.client, 'one'), await uploadText(owner.client, 'two')];
    const { body } = await open(ids);
    expect(idsOf(body.ticket.attachments)).toEqual(ids);
    const { id } = body.ticket;
    expect((await panel.admin.get(`/api/tickets/${id}`)).body.ticket).toEqual({
      ...body.ticket,
      is_read: false,
      user_name: owner.email,
      last_writer_name: owner.email,
    });
    expect((await download(panel.admin, ids[1] ?? '')).text).toBe('two');
    expect(await status(ids[1] ?? '', other.client)).toBe(404);
  });

  test('are seen by whoever sees the ticket, and before that by their account alone', async () => {
    const ticket = await openOne();
    const id = await uploadText(owner.client);
    const missing = await download(other.client, crypto.randomUUID());
    const clients = [owner.client, panel.admin, other.client, (await panel.below(owner)).client];
    const seen = () => Promise.all(clients.map((client) => status(id, client)));
    expect(await seen()).toEqual([200, 404, 404, 404]);
    expect((await download(other.client, id)).text).toBe(missing.text);
    await reply(ticket, [id]);
    expect(await seen()).toEqual([200, 200, 404, 404]);
    expect(await status(id, panel.anonymous())).toBe(401);
    const own = await uploadText(panel.admin);
    expect(await status(own, owner.client)).toBe(404);
    await reply(ticket, [own], panel.admin);
    expect(await status(own, owner.client)).toBe(200);
  });

  test('of a note are for administrators', async () => {
    const ticket = await openOne();
    const id = await uploadText(panel.admin, 'pays late', 'secret.txt');
    const { body } = await reply(ticket, [id], panel.admin, { is_note: true });
    expect(idsOf(body.reply.attachments)).toEqual([id]);
    const [note] = await lines(ticket, panel.admin);
    expect(idsOf(note.attachments)).toEqual([id]);
    const another = await panel.reseller({ group_id: '1' });
    expect(await status(id, another.client)).toBe(200);
    expect(await status(id, owner.client)).toBe(404);
    for (const path of [`/api/tickets/${ticket}`, `/api/tickets/${ticket}/replies`]) {
      expect(JSON.stringify((await owner.client.get(path)).body)).not.toContain(id);
    }
  });

  test('that cannot be named are refused in words, and nothing is written', async () => {
    const ticket = await openOne();
    const foreign = await uploadText(other.client);
    const used = await uploadText(owner.client);
    await reply(ticket, [used]);
    const own = await uploadText(owner.client);
    const [arriving] = [crypto.randomUUID()];
    await sql`insert into attachments (id, account_id, name, size)
      values (${arriving}, ${owner.id}, 'half', 10)`.execute(panel.services.db);
    const before = (await lines(ticket, owner.client)).length;
    const cases: [string[], string][] = [
      [
        [own, foreign],
        'Attachment not found. Attachments that are not sent are deleted after a day.',
      ],
      [
        [crypto.randomUUID()],
        'Attachment not found. Attachments that are not sent are deleted after a day.',
      ],
      [[arriving], 'Attachment not found. Attachments that are not sent are deleted after a day.'],
      [[own, used], 'This file is already attached'],
      [[own, own], 'This file is already attached'],
    ];
    for (const [ids, text] of cases) {
      for (const answer of [await reply(ticket, ids), await open(ids)]) {
        expect([answer.status, answer.body.fields]).toEqual([422, { attachment_ids: text }]);
      }
    }
    const six = await reply(
      ticket,
      Array.from({ length: 6 }, () => crypto.randomUUID()),
    );
    expect(six.body.fields).toEqual({ attachment_ids: 'At most 5 values' });
    expect((await reply(ticket, ['1'])).status).toBe(422);
    expect(await lines(ticket, owner.client)).toHaveLength(before);
    expect((await reply(ticket, [own])).status).toBe(201);
  });

  test('are attached once by replies side by side', async () => {
    const ticket = await openOne();
    const id = await uploadText(owner.client);
    const replies = await Promise.all([1, 2, 3, 4].map(() => reply(ticket, [id])));
    expect(replies.map((one) => one.status).sort()).toEqual([201, 422, 422, 422]);
  });

  test('go with their ticket, whole', async () => {
    const image = pngOf(Buffer.alloc(600_000));
    const id = (await upload(owner.client, image, 'a.png')).body.attachment.id;
    const { ticket } = (await open([id])).body;
    await reply(ticket.id, [await uploadText(panel.admin)], panel.admin);
    await reply(ticket.id, [await uploadText(panel.admin)], panel.admin, { is_note: true });
    expect(await countFiles(panel)).toEqual({ files: 3, chunks: 5 });
    expect((await panel.admin.delete(`/api/tickets/${ticket.id}`)).status).toBe(200);
    expect(await countFiles(panel)).toEqual(NOTHING);
    expect(await status(id, owner.client)).toBe(404);
  });

  test('are taken back by their account until they are attached', async () => {
    const remove = (id: string, { client } = owner) => client.delete(`/api/attachments/${id}`);
    const id = await uploadText(owner.client);
    for (const client of [other.client, panel.admin]) {
      expect((await client.delete(`/api/attachments/${id}`)).status).toBe(404);
    }
    expect((await remove(id)).status).toBe(200);
    expect((await remove(id)).status).toBe(404);
    expect(await countFiles(panel)).toEqual(NOTHING);
    const used = await uploadText(owner.client);
    await open([used]);
    const refused = await remove(used);
    expect([refused.status, refused.body.message]).toEqual([409, 'This file is already attached']);
    expect(await status(used, owner.client)).toBe(200);
  });

  test('that are attached to nothing are gone after a day, and broken ones after an hour', async () => {
    const { db } = panel.services;
    const attached = await uploadText(owner.client);
    await open([attached]);
    const add = async (hours: number, is_whole: boolean) => {
      const id = is_whole ? await uploadText(owner.client) : crypto.randomUUID();
      if (!is_whole) {
        await sql`insert into attachments (id, account_id, name, size)
          values (${id}, ${owner.id}, 'half', 10)`.execute(db);
      }
      await sql`update attachments set created_at = now() - make_interval(mins => ${hours * 60})
        where id = ${id}`.execute(db);
      return id;
    };
    await sql`update attachments set created_at = now() - interval '9 days'
      where id = ${attached}`.execute(db);
    const kept = [attached, await add(23.9, true), await add(0.9, false)];
    await add(24.1, true);
    await add(1.1, false);
    // The clock was a year ahead when these were stored. They are kept for a day after its correction.
    const ahead = [await add(-9000, true), await add(-9000, false)];
    await healClock(panel.services);
    await sql`update attachments set created_at = created_at - interval '1 day'
      where id = any(${ahead}::uuid[])`.execute(db);
    await deleteUnattached(db);
    const rows = await db.selectFrom('attachments').select('id').execute();
    expect(idsOf(rows).sort()).toEqual(kept.sort());
    expect((await countFiles(panel))?.chunks).toBe(2);
  });

  test('that are deleted leave room for others, also where nobody else tidies up', async () => {
    if (kind !== 'embedded') return;
    const { db, connection } = panel.services;
    const bytes = async () => {
      const { rows } = await sql<{ bytes: number }>`
        select pg_total_relation_size('attachment_chunks') as bytes`.execute(db);
      return rows[0]?.bytes ?? 0;
    };
    const fill = async () => {
      for (let file = 0; file < 6; file++) {
        const image = pngOf(Buffer.alloc(MAX_ATTACHMENT_BYTES - 2000));
        expect((await upload(owner.client, image, 'a.png')).status).toBe(201);
      }
    };
    await fill();
    const full = await bytes();
    await db.deleteFrom('attachments').execute();
    // Otherwise the database reports a second later that rows were deleted.
    await sql`select pg_stat_force_next_flush()`.execute(db);
    await reuseFreedSpace(connection);
    await fill();
    expect(await bytes()).toBeLessThan(full * 1.1);
  });

  describe('of one account', () => {
    const fill = (bytes: number, account = owner.id) =>
      sql`insert into attachments (id, account_id, name, type, size, is_whole)
        values (gen_random_uuid(), ${account}, 'full', 'text/plain', ${bytes}, true)`.execute(
        panel.services.db,
      );

    test('have a quota, which counts what is attached, and which is said', async () => {
      await fill(ATTACHMENT_QUOTA_BYTES - 2000);
      const { status, body } = await upload(owner.client, 'x'.repeat(3000), 'a.txt');
      expect([status, body.message]).toEqual([
        409,
        'Not enough space for this file: an account can store at most 100 MB of attachments, and 100 MB are used',
      ]);
      expect((await upload(other.client, 'x'.repeat(3000), 'a.txt')).status).toBe(201);
      expect((await upload(owner.client, 'x'.repeat(1000), 'a.txt')).status).toBe(201);
      const admin = (await panel.admin.get('/api/me')).body.id;
      await fill(ATTACHMENT_QUOTA_BYTES * 2, admin);
      expect((await upload(panel.admin, 'text', 'a.txt')).status).toBe(201);
    });

    test('cannot pass it side by side', async () => {
      const left = 3.5 * MAX_ATTACHMENT_BYTES;
      await fill(ATTACHMENT_QUOTA_BYTES - left);
      const image = pngOf(Buffer.alloc(MAX_ATTACHMENT_BYTES - 2000));
      const sent = await Promise.all(
        Array.from({ length: 8 }, () => upload(owner.client, image, 'a.png')),
      );
      expect(sent.map((one) => one.status).sort()).toEqual([
        ...Array(3).fill(201),
        ...Array(5).fill(409),
      ]);
      const { rows } = await sql<{ size: number }>`
        select sum(size)::bigint as size from attachments where account_id = ${owner.id}`.execute(
        panel.services.db,
      );
      expect(rows[0]?.size).toBeLessThanOrEqual(ATTACHMENT_QUOTA_BYTES);
    });

    test('are not uploaded without end', async () => {
      const { db } = panel.services;
      await uploadText(owner.client);
      await sql`update rate_limits set count = ${MAX_UPLOADS_AN_HOUR} where scope = 'uploads'`.execute(
        db,
      );
      const { status, body } = await upload(owner.client, 'text', 'a.txt');
      expect([status, body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    });
  });
});
