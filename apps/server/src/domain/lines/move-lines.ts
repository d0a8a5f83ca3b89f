import { type RawBuilder, sql } from 'kysely';
import { furtherLines, isOfFurtherPlan } from '../../db/lines-of-server.ts';
import type { Tx } from '../../db/transaction.ts';
import { settle } from '../delivery/settle.ts';
import { defaultHostPort, lineProtocol, type Reached } from '../machines/servers.ts';
import type { LockedAt } from './changed-addresses.ts';

/** A server's addresses, for customers and for the panel. */
export interface ServerAddress extends Reached {
  id: string;
  api_port: number;
}

/** SQL table `entered`: the C and N lines that customers at these addresses enter now and will enter. */
const enteredTable = (entered: readonly LockedAt[]) => sql`entered as materialized (
  select host_port as entered_at, old_lines, new_lines from jsonb_to_recordset(${JSON.stringify(entered)}::jsonb)
    as entered (host_port text[], old_lines jsonb, new_lines jsonb))`;

/**
 * SQL that inserts the items of a finished job from the rows of `changed`, with those of `fields` that differ.
 * `receivers` is null if the customer changes nothing.
 */
const itemsOf = (jobId: string, fields: RawBuilder<unknown>) => sql`
  insert into job_items (job_id, position, line_id, username, state, before, after)
    select ${jobId}::uuid, row_number() over (order by username), id, username, 'done', before, after
      from changed left join entered on entered_at = entered_as
      cross join lateral (
        select jsonb_object_agg(name, before) as before, jsonb_object_agg(name, after) as after
          from (values ${fields}, ('receivers', old_lines, new_lines))
            as field (name, before, after)
          where before is distinct from after or name = 'receivers') as differing`;

/**
 * Moves all lines that use one of the `entered` addresses from one server to another, and stores an
 * item of the job for each. A line that is sold in the meantime with another address stays on its
 * server. Returns the number of moved lines.
 */
export async function moveAllLines(
  tx: Tx,
  from: ServerAddress,
  to: ServerAddress,
  entered: readonly LockedAt[],
  jobId: string,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with ${enteredTable(entered)},
    held as materialized (
      select id, host_port, protocol, ${isOfFurtherPlan(to.id)} as is_there from users
        where server_id = ${from.id} and host_port in (select entered_at from entered)
        order by id for no key update),
    changed as (
      update users
        set server_id = ${to.id},
          host_port = array_replace(
            users.host_port, ${defaultHostPort(from)}, ${defaultHostPort(to)}),
          protocol = case users.protocol
            when ${lineProtocol(from)} then ${lineProtocol(to)} else users.protocol end,
          updated_at = now()
        from held where users.id = held.id
        returning users.id, users.username, users.host_port, users.protocol,
          held.protocol as old_protocol, held.host_port as old_host_port,
          -- The customer of a line that was on both has the data of both, and changes nothing.
          case when not held.is_there then held.host_port end as entered_as),
    items as (${itemsOf(
      jobId,
      sql`('server_id', to_jsonb(${from.id}::text), to_jsonb(${to.id}::text)),
        ('host_port', to_jsonb(old_host_port), to_jsonb(host_port)),
        ('protocol', to_jsonb(old_protocol), to_jsonb(protocol))`,
    )})
    select id from changed order by id`.execute(tx);
  await settle(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

/**
 * Replaces a server's address in the lines that have it. Each becomes an item of the job, and so does each line whose
 * customer must change the receiver by `entered`. Returns their number.
 */
export async function replaceAddress(
  tx: Tx,
  before: ServerAddress,
  after: ServerAddress,
  entered: readonly LockedAt[],
  jobId: string,
): Promise<number> {
  const [old, next] = [defaultHostPort(before), defaultHostPort(after)];
  const { rows } = await sql<{ changed: number }>`
    with ${enteredTable(entered)},
    held as materialized (
      select id, username, host_port from users
        where server_id = ${before.id}
          and (${old !== next} and ${old} = any (host_port)
            or host_port in (select entered_at from entered where old_lines is not null))
        order by id for no key update),
    changed as (
      select id, username, host_port as old_host_port, host_port as entered_as,
          array_replace(host_port, ${old}, ${next}) as host_port
        from held
      union all
      -- For a further server, its customers enter the address of the server.
      select users.id, username, host_port, '{}', host_port
        from ${furtherLines(sql`${before.id}::uuid`)} as further join users on users.id = further.id
        where exists (select from entered where entered_at = '{}' and old_lines is not null)),
    replaced as (
      update users set host_port = changed.host_port, updated_at = now()
        from changed where users.id = changed.id and changed.host_port <> old_host_port),
    items as (${itemsOf(jobId, sql`('host_port', to_jsonb(old_host_port), to_jsonb(host_port))`)})
    select count(*) as changed from changed`.execute(tx);
  return rows[0]?.changed ?? 0;
}
