-- Browsers that show an account's notifications, each for as long as its session. Address and keys are those of the browser's
-- push service, sealed with the key of the panel; a browser that subscribes again is found by their hash.
create table if not exists push_subscriptions (
  id uuid primary key,
  account_id uuid not null references auth_users (id) on delete cascade,
  session_id uuid not null unique references auth_sessions (id) on delete cascade,
  sealed text not null,
  hash text collate "C" not null,
  created_at timestamptz not null default now()
);
create index if not exists push_subscriptions_account on push_subscriptions (account_id);
create index if not exists push_subscriptions_hash on push_subscriptions (hash);

-- Notifications that wait to be sent to a browser.
create table if not exists web_pushes (
  notification_id uuid not null references notifications (id) on delete cascade,
  subscription_id uuid not null references push_subscriptions (id) on delete cascade,
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  primary key (notification_id, subscription_id)
);
create index if not exists web_pushes_subscription on web_pushes (subscription_id);
create index if not exists web_pushes_next_try_at on web_pushes (next_try_at);

create or replace function wake_web_push_loops() returns trigger language plpgsql as $$
begin
  if exists (select from inserted) then
    perform pg_notify('linekeeper_web_push', '');
  end if;
  return null;
end $$;
create or replace trigger wake_web_push_loops after insert on web_pushes
  referencing new table as inserted for each statement execute function wake_web_push_loops();
