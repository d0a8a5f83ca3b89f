import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

const AWKWARD = 'a\u2028b\u2029c\td\ne\r\nf"g\\h\'i{j},k😀Ż\u0001NULL';
export const awkwardId = (number: number) =>
  `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`;

/** Inserts rows that a careless copy would change, refuse or sort wrongly. */
export async function addAwkwardRows(db: Db): Promise<void> {
  // The owner's id sorts after the account's.
  const accounts = [awkwardId(1), awkwardId(9)];
  await sql`insert into auth_users (id, email, username, group_id, notes)
    select unnest(${accounts}::uuid[]), unnest(array['below@x', 'above@x']), 'name', '2', ${AWKWARD}`.execute(
    db,
  );
  await sql`update auth_users set owner_id = ${awkwardId(9)}, credits = 7,
    created_at = '2026-03-29 02:30:00.123456+02' where id = ${awkwardId(1)}`.execute(db);
  await sql`insert into cccam_servers
      (id, server_name, host_ip, port, api_port, api_scheme, username, password, protocol)
    values (${awkwardId(20)}, ${AWKWARD}, 'h', 1, 1, 'http', 'u', 'p', 'CCcam')`.execute(db);
  await sql`insert into users (id, username, password, host_port, added_date, expiry_date, status,
      notes, owner_id, server_id)
    select gen_random_uuid(), 'line' || n, 'pw', ${['a:1', AWKWARD, '']}::text[], '1900-01-01',
      '2099-12-31', jsonb_build_array(jsonb_build_object('label', ${AWKWARD}::text, 'color', 'info')),
      case when n > 1 then ${AWKWARD}::text end, ${awkwardId(1)}, ${awkwardId(20)}
    from generate_series(1, 1200) n`.execute(db);
  // The refunded transfer's id sorts after the refund's.
  for (const [transfer, refunded] of [
    [awkwardId(9), null],
    [awkwardId(1), awkwardId(9)],
  ]) {
    await sql`insert into credit_transfers (id, kind, from_id, to_id, amount, refund_of)
      values (${transfer}, 'sale', ${awkwardId(1)}, ${awkwardId(9)}, 9007199254740991, ${refunded})`.execute(
      db,
    );
  }
  await sql`insert into idempotency_keys (account_id, endpoint, key, body_hash, result, reply) values
    (${awkwardId(1)}, 'b', 'Ä', 'h', 'null', '{"n": 1.10, "s": "\\u2028"}'), (${awkwardId(1)}, 'B', 'a', 'h', null, '""')`.execute(
    db,
  );
  await sql`insert into attachments (id, account_id, name, type, size, is_whole)
    values (${awkwardId(1)}, ${awkwardId(1)}, ${AWKWARD}, 'text/plain', 9, true)`.execute(db);
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  await sql`insert into attachment_chunks (attachment_id, position, bytes)
    select ${awkwardId(1)}, n, ${bytes} from generate_series(0, 8) n`.execute(db);
  await sql`insert into auth_sessions (id, user_id, token, expires_at)
    values (${awkwardId(1)}, ${awkwardId(1)}, 'a token nobody may bring back', now() + '1 day')`.execute(
    db,
  );
  await sql`insert into rate_limits (scope, subject, count, window_ends_at)
    values ('sign-in', 'counted@x', 5, now() + '1 day')`.execute(db);
}
