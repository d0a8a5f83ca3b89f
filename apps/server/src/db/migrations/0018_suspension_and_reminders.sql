-- Why, since when and by whom a line is suspended, and the label that it gets back when it is resumed.
-- Null while it is not. The label "suspended" is there exactly while this is.
alter table users add column suspension jsonb;

-- Until now "suspended" was a label like any other, and its line stayed on its server. The label said
-- what was meant, so it becomes true: see decision 0056. Who set it is not known.
with labelled as (
  select id,
      lower(status -> 0 ->> 'label') = 'suspended' as is_first,
      (select coalesce(jsonb_agg(item order by place), '[]')
        from jsonb_array_elements(status) with ordinality as label (item, place)
        where lower(item ->> 'label') <> 'suspended') as others
    from users
    where jsonb_path_exists(status, '$[*].label ? (@ like_regex "^suspended$" flag "i")'))
update users
  set suspension = jsonb_build_object('by_id', null, 'reason', null,
      'at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'label', case when is_first then '{"label": "active", "color": "success"}' else others -> 0 end),
    status = '[{"label": "suspended", "color": "error"}]'::jsonb
      || case when is_first then others else others - 0 end,
    updated_at = now()
  from labelled where labelled.id = users.id;

alter table users add constraint users_suspension check (
  (suspension is not null) = coalesce(lower(status -> 0 ->> 'label') = 'suspended', false));

insert into server_accounts (server_id, username, wanted, operation)
  select server_id, username, null, 'edit' from users where suspension is not null
    order by server_id, username
  on conflict (server_id, username) do update
    set wanted = null, operation = 'edit', revision = server_accounts.revision + 1, attempts = 0,
      next_try_at = now(), last_finding = null, wanted_since = now(), updated_at = now();

-- Nothing is wanted of a suspended line, whoever writes it: a panel of the version before, which knows
-- nothing of this column, and a statement that read the line before it was suspended.
create function want_nothing_while_suspended() returns trigger language plpgsql as $$
begin
  if exists (select from users
      where id = (new.wanted ->> 'line_id')::uuid and suspension is not null) then
    new.wanted := null;
  end if;
  return new;
end $$;
create trigger want_nothing_while_suspended before insert or update of wanted on server_accounts
  for each row when (new.wanted is not null) execute function want_nothing_while_suspended();

alter table jobs drop constraint jobs_action_check;
alter table jobs add constraint jobs_action_check check (action in
  ('renew', 'edit', 'move', 'suspend', 'resume', 'delete', 'export', 'import', 'undo'));

-- Reminders -----------------------------------------------------------------------------------

-- Up to which day an owner has been told of lines that expire: a digest a day, of what came due since.
create table reminded_owners (
  account_id uuid primary key references auth_users (id) on delete cascade,
  reminded_on date
);

-- A notification that is sent by mail too: it waits for that, in the transaction that wrote it, until a
-- panel has queued the mail. Null for all others.
alter table notifications
  add column mail_state text check (mail_state in ('wanted', 'queued'));
create index notifications_mail_wanted on notifications (id) where mail_state = 'wanted';
