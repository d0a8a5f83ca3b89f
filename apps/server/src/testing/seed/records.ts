import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { ISSUANCE, SALES } from '../../domain/credits/credits.ts';
import { seededAccount } from './lines.ts';
import { writeSeed } from './write.ts';

/** Number of an account with one in twenty transfers: a big reseller, with thousands of rows to read. */
export const BUSY_ACCOUNT = 2;

const scattered = (purpose: number, below: number) =>
  sql.raw(`(hashint8extended(n, ${purpose}) & 9223372036854775807) % ${below}`);
/** SQL of an id, in the form of `seededAccount` and of the seed's lines. */
const idOf = (kind: 'a' | 'b', number: unknown) =>
  sql`('0190000${sql.raw(kind)}-0000-7000-8000-' || lpad(to_hex(${number}::bigint), 12, '0'))::uuid`;
const madeId = (purpose: string) => sql`md5(${purpose} || n)::uuid`;

/** Writes as many transfers and audit entries as there are accounts and lines. */
export async function seedRecords(db: Db, rows: number): Promise<void> {
  const someone = sql`case when ${scattered(21, 20)} = 0 then ${seededAccount(BUSY_ACCOUNT)}::uuid
    else ${idOf('a', sql`3 + ${scattered(22, rows - 2)}`)} end`;
  const username = sql`'box' || substr(md5('name' || n), 1, 6) || n`;
  const at = sql`now() - (${rows} - n) * interval '4 minutes'`;
  await writeSeed(
    db,
    async (tx) => {
      await sql`
      insert into credit_transfers
        (id, kind, from_id, to_id, amount, actor_id, note, line_id, username, created_at)
      select ${madeId('transfer')}, case kind when 0 then 'mint' when 1 then 'transfer' else 'sale' end,
        case kind when 0 then ${ISSUANCE}::uuid when 1 then ${seededAccount(1)}::uuid else account end,
        case when kind < 2 then account else ${SALES}::uuid end, 2 + kind,
        case when kind < 2 then ${seededAccount(1)}::uuid else account end,
        case when kind < 2 then 'Invoice ' || n end,
        case when kind >= 2 then line end, case when kind >= 2 then username end, created_at
      from (select n, ${scattered(23, 10)} as kind, ${someone} as account, ${idOf('b', sql`n`)} as line,
          ${username} as username, ${at} as created_at
        from generate_series(1::bigint, ${rows}::bigint) as n) as made`.execute(tx);
      await sql`
      insert into audit_log (id, actor_id, action, subject_type, subject_id, data, before, after, address,
        request_id, created_at)
      select ${madeId('entry')}, ${someone}, 'line.renew', 'line', ${idOf('b', sql`n`)}::text,
        jsonb_build_object('username', ${username}, 'cost', 2), '{"expiry_date": "2026-01-01"}',
        '{"expiry_date": "2026-02-01"}', '203.0.113.' || n % 250, md5('request' || n), ${at}
      from generate_series(1::bigint, ${rows}::bigint) as n`.execute(tx);
    },
    ['credit_transfers', 'audit_log'],
  );
}
