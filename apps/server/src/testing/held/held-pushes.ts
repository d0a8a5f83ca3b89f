import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

/**
 * Prevents attempts of the pushes that are due now, and of those of these names, until `release` is called, for
 * tests of what is shown while they wait. Other pushes are delivered as usual.
 */
export async function holdPushes(
  db: Db,
  usernames: readonly string[] = [],
): Promise<{ release(usernames?: string[]): Promise<void> }> {
  await sql`create table held_pushes as
    select server_id, username from server_accounts where revision > synced_revision
    union select id, unnest(${usernames}::text[]) from cccam_servers`.execute(db);
  await sql`
    create function hold_push() returns trigger language plpgsql as $$
    begin
      if exists (select from held_pushes where (server_id, username) = (new.server_id, new.username)) then
        return null;
      end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger hold_push before update of claimed_until on server_accounts
    for each row execute function hold_push()`.execute(db);
  return {
    release: async (usernames) => {
      await sql`delete from held_pushes
        where ${usernames ?? null}::text[] is null or username = any (${usernames ?? null}::text[])`.execute(
        db,
      );
    },
  };
}
