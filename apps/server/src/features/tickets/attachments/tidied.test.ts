// @module-tag thorough
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { countFiles, download, pngOf, upload, uploadText } from '../../../testing/files/files.ts';
import { runScheduled } from '../../../testing/loops.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';
import { correctClock } from '../../../testing/process/shifted-clock.ts';

const ROUNDS = 12;

describe.each(databases)('files attached to nothing, on %s', (kind) => {
  let panel: TestPanel;
  let owner: TestAccount;
  let ticket: string;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    owner = await panel.reseller();
    const own = await owner.client.post('/api/tickets', { title: 'T', description: 'T' });
    ticket = own.body.ticket.id;
  });

  const tidy = () => runScheduled(panel.services, 'tidy');
  const reply = (attachment_ids: string[]) =>
    owner.client.post(`/api/tickets/${ticket}/replies`, { attachment_ids });

  test('are deleted by the clock a day later, with all that is in them, and no others', async () => {
    const image = pngOf(Buffer.alloc(600_000));
    const sent = await Promise.all(
      ['a.png', 'b.png'].map((name) => upload(owner.client, image, name)),
    );
    const [attached = '', loose = ''] = sent.map(({ body }) => body.attachment.id as string);
    expect((await reply([attached])).status).toBe(201);
    await tidy();
    expect(await countFiles(panel)).toEqual({ files: 2, chunks: 6 });
    await correctClock(panel.services.db, 1);
    const fresh = await uploadText(owner.client);
    await tidy();
    expect(await countFiles(panel)).toEqual({ files: 2, chunks: 4 });
    const statusOf = async (id: string) => (await download(owner.client, id)).status;
    expect(await Promise.all([attached, loose, fresh].map(statusOf))).toEqual([200, 404, 200]);
    const late = await reply([loose]);
    expect([late.status, late.body.fields]).toEqual([
      422,
      {
        attachment_ids:
          'Attachment not found. Attachments that are not sent are deleted after a day.',
      },
    ]);
  });

  test('are either attached or deleted, never both, where both are done side by side', async () => {
    const { db } = panel.services;
    for (let round = 0; round < ROUNDS; round++) {
      await db.deleteFrom('rate_limits').execute();
      const ids = [];
      for (let file = 0; file < 4; file++) ids.push(await uploadText(owner.client));
      await sql`update attachments set created_at = now() - interval '25 hours'
        where ticket_id is null`.execute(db);
      const [first, second, third, fourth] = ids as [string, string, string, string];
      const [one, , two] = await Promise.all([
        reply([first, second]),
        tidy(),
        reply([third, fourth]),
        tidy(),
      ]);
      for (const [answer, named] of [
        [one, [first, second]],
        [two, [third, fourth]],
      ] as const) {
        expect([201, 422]).toContain(answer.status);
        for (const id of named) {
          const file = await download(owner.client, id);
          expect([file.status, file.text === 'text']).toEqual(
            answer.status === 201 ? [200, true] : [404, false],
          );
        }
      }
    }
    const { rows } = await sql<{ loose: number; lost: number }>`select
      (select count(*) from attachments where ticket_id is null) as loose,
      (select count(*) from ticket_replies where content = '' and kind = 'reply'
        and not exists (select from attachments where reply_id = ticket_replies.id)) as lost`.execute(
      db,
    );
    expect(rows).toEqual([{ loose: 0, lost: 0 }]);
  });
});
