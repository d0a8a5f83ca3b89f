import { open } from '../open.ts';

/** Tables as a panel has them: with rows, with several indexes, and many that are empty. */
const SCHEMA = `
  create table settings (key text primary key, value jsonb not null);
  create table users (id serial primary key, email text not null unique, name text);
  create index on users (name);
  insert into users (email, name) select 'user-' || n || '@panel.example', 'User ' || n
    from generate_series(1, 500) as n;
  create table auth_sessions (id uuid primary key, user_id int references users);
  insert into auth_sessions select gen_random_uuid(), id from users;
  do $$ begin
    for n in 1..40 loop
      execute format('create table empty_%s (id serial primary key, name text unique)', n);
    end loop;
  end $$`;

/** Creates a database with tables in an empty folder, and closes it. */
export async function makeDatabase(folder: string): Promise<void> {
  const { pool, close } = await open(folder);
  await pool.query(SCHEMA);
  await close();
}
