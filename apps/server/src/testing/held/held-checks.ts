import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

/**
 * Disables the minutely checks, for tests that compare the whole database before and after a
 * request. Changes made by requests still affect the servers' rows.
 */
export async function holdChecks(db: Db): Promise<void> {
  await sql`
    create function hold_check() returns trigger language plpgsql as $$
    begin
      -- A generated column is not known yet.
      if to_jsonb(new) - array['next_check_at', 'machine']
          = to_jsonb(old) - array['next_check_at', 'machine'] then
        return null;
      end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger hold_check before update of next_check_at on cccam_servers
    for each row execute function hold_check()`.execute(db);
}
