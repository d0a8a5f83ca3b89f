import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

/**
 * pg-boss compares its stored times with the database's clock. If the clock is set back, jobs would
 * wait until it has caught up, and a dead panel's job would count as running. This moves pg-boss's
 * own rows back to the present; for our tables see `isReached`.
 */
export async function correctQueueTimes(db: Db): Promise<void> {
  await sql`
    with looks as (
      update pgboss.queue
        set monitor_claim_on = least(monitor_claim_on, now()),
          monitor_on = least(monitor_on, now()), maintain_on = least(maintain_on, now())
        where greatest(monitor_claim_on, monitor_on, maintain_on) > clock_timestamp()),
    upkeep as (
      update pgboss.version
        set bam_on = least(bam_on, now()), flow_on = least(flow_on, now())
        where greatest(bam_on, flow_on) > clock_timestamp())
    update pgboss.job
      set start_after = least(start_after, now()), started_on = least(started_on, now()),
        heartbeat_on = least(heartbeat_on, now())
      where state < 'completed' and (
        start_after > clock_timestamp() + make_interval(
          secs => case state when 'created' then 0 else coalesce(retry_delay_max, retry_delay) end)
        or greatest(started_on, heartbeat_on) > clock_timestamp())`.execute(db);
}
