-- Mails that wait to be sent. A row goes when the mail server has taken its mail, or when it is given up.
-- Panels of 1.1.0 keep their own queue, and notifications.mail_state, until a later version removes both.
create table if not exists mails (
  -- Backups of 1.1.0 read each table by its primary key, and know no generated columns.
  id uuid primary key default gen_random_uuid(),
  mail jsonb not null,
  -- Two mails with one key would say the same.
  key text collate "C" not null unique generated always as (
    (mail ->> 'kind') || ' ' || coalesce(mail ->> 'account_id', mail ->> 'contact_id') || ' '
      || coalesce(mail ->> 'notification_id', mail ->> 'message_id', mail ->> 'old_email', '')) stored,
  account_id text collate "C" generated always as (mail ->> 'account_id') stored,
  -- Of what others write an account gets few mails; the rest waits, and becomes one.
  is_gathered boolean not null default false,
  attempts integer not null default 0,
  next_try_at timestamptz not null default now()
);
create index if not exists mails_next_try_at on mails (next_try_at);
create index if not exists mails_gathered on mails (account_id) where is_gathered and attempts = 0;

create or replace function wake_mail_loops() returns trigger language plpgsql as $$
begin
  if exists (select from inserted) then
    perform pg_notify('linekeeper_mail', '');
  end if;
  return null;
end $$;
create or replace trigger wake_mail_loops after insert on mails
  referencing new table as inserted for each statement execute function wake_mail_loops();
