-- A seller's own notebook: what customers pay for the seller's own lines. No credit moves by it.
create table if not exists book_entries (
  id uuid primary key,
  account_id uuid not null references auth_users (id) on delete cascade,
  line_id uuid references users (id) on delete set null,
  -- As it was at the sale, because the debt outlives the line.
  username text not null,
  plan_id uuid references plans (id) on delete set null,
  months integer,
  state text not null check (state in ('paid', 'owes', 'free')),
  amount_minor integer check (amount_minor >= 0),
  currency text check (currency ~ '^[A-Z]{3}$'),
  due date,
  created_at timestamptz not null default now(),
  paid_at timestamptz,
  -- The job of the sale or renewal, whose undo removes the entry. Jobs are deleted earlier than entries.
  job_id uuid,
  constraint book_entries_paid check ((state = 'paid') = (paid_at is not null))
);
create index if not exists book_entries_account on book_entries (account_id, coalesce(paid_at, created_at));
create index if not exists book_entries_open on book_entries (account_id, created_at) where state = 'owes';
create index if not exists book_entries_line on book_entries (line_id) where line_id is not null;
create index if not exists book_entries_plan on book_entries (plan_id) where plan_id is not null;

create or replace trigger announce_insert after insert on book_entries
  referencing new table as new_rows for each statement execute function announce_rows('account_id');
create or replace trigger announce_update after update on book_entries
  referencing new table as new_rows for each statement execute function announce_rows('account_id');
create or replace trigger announce_delete after delete on book_entries
  referencing old table as old_rows for each statement execute function announce_rows('account_id');

-- Reminders to customers. `day` is how many days before the expiry an email is for; null for a reminder by hand.
create table if not exists reminders (
  id uuid primary key,
  line_id uuid not null references users (id) on delete cascade,
  expiry_date date not null,
  day smallint check (day >= 0),
  way text not null check (way in ('mail', 'whatsapp', 'telegram', 'sms', 'share')),
  sent_at timestamptz not null default now(),
  -- Why the email was not sent.
  reason text,
  constraint reminders_once unique nulls not distinct (line_id, expiry_date, day, way),
  constraint reminders_mails check ((way = 'mail') = (day is not null))
);

-- The address whose owner stopped the reminders of this line.
alter table users add column if not exists reminders_stopped_for text;
create index if not exists users_reminded on users (expiry_date, owner_id) where email is not null;
