-- A plan says what its lines cost. Its terms are one value, [{ months, credits, is_offered }] in the order in which they
-- are offered, because they are only read and saved together. A new panel begins with the prices of the specification.
create table if not exists plans (
  id uuid primary key,
  name text not null,
  terms jsonb not null check (jsonb_typeof(terms) = 'array'),
  updated_at timestamptz not null default now()
);
insert into plans (id, name, terms) values ('00000000-0000-4000-8000-000000000010', 'Standard', '[
  {"months": 1, "credits": 2, "is_offered": true},
  {"months": 3, "credits": 4, "is_offered": true},
  {"months": 6, "credits": 6, "is_offered": true},
  {"months": 12, "credits": 10, "is_offered": true},
  {"months": 24, "credits": 15, "is_offered": true}]') on conflict do nothing;

-- Prices for accounts: those that the list's owner pays times a factor in hundredths, or prices of its own for some terms,
-- [{ plan_id, months, credits }]. A list without an owner is the panel's.
create table if not exists price_lists (
  id uuid primary key,
  owner_id uuid references auth_users (id) on delete cascade,
  name text not null,
  factor_percent integer check (factor_percent > 0),
  terms jsonb not null default '[]' check (jsonb_typeof(terms) = 'array'),
  created_at timestamptz not null default now(),
  check ((factor_percent is null) = (terms <> '[]'))
);
create index if not exists price_lists_owner_id on price_lists (owner_id);

alter table auth_users add column if not exists price_list_id uuid references price_lists (id) on delete set null;
create index if not exists auth_users_price_list_id on auth_users (price_list_id) where price_list_id is not null;

-- What the account that asked for a job could buy then, and at which prices, so that its lines cost what its preview said.
alter table jobs add column if not exists offer jsonb;

create or replace trigger announce_update after update on plans
  referencing new table as new_rows for each statement execute function announce_rows('id');
create or replace trigger announce_insert after insert on price_lists
  referencing new table as new_rows for each statement execute function announce_rows('owner_id');
create or replace trigger announce_update after update on price_lists
  referencing new table as new_rows for each statement execute function announce_rows('owner_id');
create or replace trigger announce_delete after delete on price_lists
  referencing old table as old_rows for each statement execute function announce_rows('owner_id');
