-- What a plan is besides its prices. `serves` says on which of its servers a line is: one that the seller chooses, all, or
-- the active one with the fewest lines. A plan without servers can be on every server.
alter table plans
  add column if not exists description text,
  add column if not exists position integer not null default 0,
  add column if not exists is_offered boolean not null default true,
  add column if not exists serves text not null default 'one' check (serves in ('one', 'all', 'fewest'));

-- The servers of a plan in order, with what its lines may do there; null says nothing. A server is taken out of its plans
-- before it is deleted.
create table if not exists plan_servers (
  plan_id uuid not null references plans (id) on delete cascade,
  server_id uuid not null constraint server_in_plan references cccam_servers (id),
  position integer not null,
  rights jsonb check (jsonb_typeof(rights) = 'object'),
  primary key (plan_id, server_id)
);
create index if not exists plan_servers_server_id on plan_servers (server_id);

alter table users add column if not exists plan_id uuid not null default '00000000-0000-4000-8000-000000000010'
  references plans (id);
create index if not exists users_plan on users (plan_id, id);

-- The rights that the card server was last given, so that those which a plan no longer says are taken away.
alter table server_accounts add column if not exists rights jsonb;

-- Finds the undelivered accounts of a line on all its servers.
create index if not exists server_accounts_unsettled_of_line on server_accounts (of_line, sync_state)
  where sync_state <> 'synced' or not on_server;

-- The servers on which a line is: its own, and the others of a plan that serves all.
create or replace function servers_of(server_id uuid, plan_id uuid) returns setof uuid language sql stable as $$
  select servers_of.server_id
  union all
  select other.server_id from plan_servers other join plans on plans.id = other.plan_id
    where other.plan_id = servers_of.plan_id and plans.serves = 'all' and other.server_id <> servers_of.server_id
$$;

-- As before, for a line on several servers: each account with a former name or of a deleted line says whose it was.
create or replace function keep_left_password() returns trigger language plpgsql as $$
declare
  is_renamed boolean := tg_op = 'UPDATE' and new.username <> old.username and new.server_id = old.server_id;
begin
  update server_accounts
    set left_password = jsonb_build_object('line_id', old.id, 'password', old.password)
    where (server_id = old.server_id and username = old.username
        or is_renamed and of_line = old.id and username = old.username and (wanted ->> 'is_former') is null)
      and (revision > synced_revision or claimed_until is not null or is_renamed
        or exists (select from cccam_servers where id = server_accounts.server_id and kind = 'oscam_webif'))
      and left_password is null
      and (synced_revision > 0 or on_server or claimed_until is not null
        or (wanted_since <= old.created_at and not old.is_trial
          and not exists (select from credit_transfers where line_id = old.id)));
  return null;
end $$;

create or replace trigger announce_insert after insert on plans
  referencing new table as new_rows for each statement execute function announce_rows('id');
create or replace trigger announce_delete after delete on plans
  referencing old table as old_rows for each statement execute function announce_rows('id');

alter table jobs drop constraint if exists jobs_action_check;
alter table jobs add constraint jobs_action_check check (action in ('sell', 'renew', 'edit', 'move', 'readdress', 'suspend',
  'resume', 'change_plan', 'edit_plan', 'delete', 'export', 'import', 'undo'));

-- The plans that an account and those below it may sell; null is all.
alter table account_limits add column if not exists plan_ids uuid[];

-- The first paid day of a change of plan, which pays for the unused days.
alter table sold_terms add column if not exists begins_on date;

-- Refuses a line on a server that its plan does not have. A plan with servers is locked before they are read, so that of a
-- sale and a change of the plan side by side the second sees the first.
create or replace function hold_place() returns trigger language plpgsql as $$
begin
  if exists (select from plan_servers where plan_id = new.plan_id) then
    perform from plans where id = new.plan_id for key share;
    if not exists (select from plan_servers where plan_id = new.plan_id and server_id = new.server_id)
        and exists (select from plan_servers where plan_id = new.plan_id) then
      raise exception 'The plan does not have this server' using errcode = 'check_violation', constraint = 'server_of_plan';
    end if;
  end if;
  return new;
end $$;
create or replace trigger hold_place before insert or update of plan_id, server_id on users
  for each row execute function hold_place();

-- Finds the changes of plan of a line, after which what was paid before is not undone.
create index if not exists job_items_changed_plan on job_items (line_id) where jsonb_exists(before, 'plan_id');
