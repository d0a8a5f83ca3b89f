-- What an API key may do; null if it may do all that its owner may.
alter table api_keys add column if not exists scopes text[];

-- Addresses that an account has events sent to.
create table if not exists webhooks (
  id uuid primary key,
  account_id uuid not null references auth_users (id) on delete cascade,
  url text not null,
  events text[] not null,
  -- Encrypted. After a rotation the former secret signs, too, until its end.
  secret text not null,
  old_secret text,
  old_secret_until timestamptz,
  created_at timestamptz not null default now()
);
create index if not exists webhooks_account_id on webhooks (account_id, created_at);

-- An event for one of them, with its latest attempt. next_try_at is null when it has arrived or was given up.
create table if not exists webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid not null references webhooks (id) on delete cascade,
  event text not null,
  data jsonb not null,
  -- One delivery of a webhook for each key.
  said_once text,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_try_at timestamptz default now(),
  delivered_at timestamptz,
  tried_at timestamptz,
  response_code integer,
  response text,
  -- Why there was no response.
  reason text,
  ms integer,
  unique (webhook_id, said_once)
);
create index if not exists webhook_deliveries_due on webhook_deliveries (webhook_id, next_try_at)
  where next_try_at is not null;
create index if not exists webhook_deliveries_created_at on webhook_deliveries (webhook_id, created_at);

create or replace function wake_webhook_loops() returns trigger language plpgsql as $$
begin
  if exists (select from inserted) then
    perform pg_notify('linekeeper_webhook', '');
  end if;
  return null;
end $$;
create or replace trigger wake_webhook_loops after insert on webhook_deliveries
  referencing new table as inserted for each statement execute function wake_webhook_loops();

-- The webhooks that get an event about these accounts: their own, and those of administrators.
create or replace function webhooks_for(event_name text, accounts uuid[]) returns setof webhooks
  language sql stable as $$
  select webhooks.* from webhooks
      join auth_users on auth_users.id = webhooks.account_id
      join groups on groups.id = auth_users.group_id
    where event_name = any(events) and not banned
      and (is_admin or webhooks.account_id = any(accounts) and 'view_users' = any(permissions))
$$;

create or replace function webhook_line(line users) returns jsonb language sql immutable as $$
  select jsonb_build_object('line', line.id, 'username', line.username, 'owner_id', line.owner_id,
    'server_id', line.server_id, 'plan_id', line.plan_id, 'is_trial', line.is_trial,
    'expiry_date', line.expiry_date)
$$;

create or replace function queue_webhooks(event_name text, accounts uuid[], about jsonb, except_account uuid default null)
  returns void language sql as $$
  insert into webhook_deliveries (webhook_id, event, data)
    select id, event_name, about from webhooks_for(event_name, accounts)
      where account_id is distinct from except_account
$$;

-- By the database, because lines are made, renewed and deleted in many ways. Without a webhook it costs one look at an
-- empty table.
create or replace function queue_line_webhooks() returns trigger language plpgsql as $$
begin
  if exists (select from webhooks) then
    if tg_op = 'DELETE' then
      perform queue_webhooks(tg_argv[0], array[old.owner_id], webhook_line(old));
    else
      perform queue_webhooks(tg_argv[0], array[new.owner_id], webhook_line(new));
    end if;
  end if;
  return null;
end $$;
create or replace trigger webhooks_of_created after insert on users
  for each row execute function queue_line_webhooks('line.created');
create or replace trigger webhooks_of_renewed after update of expiry_date on users
  for each row when (new.expiry_date > old.expiry_date)
  execute function queue_line_webhooks('line.renewed');
create or replace trigger webhooks_of_deleted after delete on users
  for each row execute function queue_line_webhooks('line.deleted');

create or replace function queue_top_up_webhooks() returns trigger language plpgsql as $$
begin
  perform queue_webhooks('top_up.paid', array[new.account_id], jsonb_build_object('top_up', new.id,
    'number', new.number, 'account_id', new.account_id, 'credits', new.credits, 'price_minor', new.price_minor,
    'currency', new.currency, 'method', new.method));
  return null;
end $$;
create or replace trigger webhooks_of_paid after update of status on top_ups
  for each row when (new.status = 'approved' and old.status <> 'approved')
  execute function queue_top_up_webhooks();

-- Not to the account that wrote the reply.
create or replace function queue_ticket_webhooks() returns trigger language plpgsql as $$
begin
  perform queue_webhooks('ticket.replied', array[user_id], jsonb_build_object('ticket', id, 'number', number,
      'title', title, 'owner_id', user_id, 'reply', new.id, 'is_admin', new.is_admin), new.user_id)
    from tickets where id = new.ticket_id;
  return null;
end $$;
create or replace trigger webhooks_of_replied after insert on ticket_replies
  for each row when (new.kind = 'reply') execute function queue_ticket_webhooks();
