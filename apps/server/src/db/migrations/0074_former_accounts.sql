-- A renamed or moved line works under its former name, or on its former server, until the card server takes the new
-- one. The account of before is wanted as long ("is_former") and follows the line in everything, so that what was
-- undone, suspended or changed meanwhile reaches the customer.
create index if not exists server_accounts_former on server_accounts ((wanted ->> 'line_id'))
  where (wanted ->> 'is_former') is not null;

-- An attempt that ended without an answer may have brought the account there.
alter table server_accounts add column if not exists is_unanswered boolean not null default false;

-- Nothing is wanted of a suspended line but its former account, which says itself that it is suspended.
create or replace function want_nothing_while_suspended() returns trigger language plpgsql as $$
begin
  if (new.wanted ->> 'is_former') is null and exists (select from users
      where id = (new.wanted ->> 'line_id')::uuid and suspension is not null) then
    new.wanted := null;
  end if;
  return new;
end $$;

-- Whoever changes a line changes its former account, a panel of the version before among them. The password that was
-- delivered last proves whose the account is.
create or replace function former_account_follows() returns trigger language plpgsql as $$
begin
  update server_accounts
    set wanted = case when tg_op = 'UPDATE' then jsonb_strip_nulls(jsonb_build_object(
          'line_id', old.id, 'expiry_date', new.expiry_date, 'is_former', true,
          'is_suspended', case when new.suspension is not null then true end)) end,
      operation = case when tg_op = 'UPDATE' then 'edit' else 'delete' end,
      left_password = coalesce(left_password,
        jsonb_build_object('line_id', old.id, 'password', old.password)),
      revision = revision + 1,
      attempts = 0,
      last_finding = null,
      next_try_at = now() + interval '1 second',
      wanted_since = case when revision > synced_revision then wanted_since else now() end,
      updated_at = now()
    where wanted ->> 'line_id' = old.id::text and (wanted ->> 'is_former') is not null;
  return null;
end $$;
create or replace trigger users_former_account_follows after update of password, expiry_date, suspension on users
  for each row when (
    (old.password, old.expiry_date, old.suspension) is distinct from (new.password, new.expiry_date, new.suspension))
  execute function former_account_follows();
create or replace trigger users_former_account_goes after delete on users
  for each row execute function former_account_follows();

-- What waits for a new name or a new server at the moment of the upgrade.
update server_accounts former
  set wanted = jsonb_build_object('line_id', line.id, 'expiry_date', line.expiry_date, 'is_former', true),
    operation = 'edit', attempts = 0, last_finding = null, next_try_at = now()
  from users line join server_accounts new on (new.server_id, new.username) = (line.server_id, line.username)
  where former.wanted is null and (former.on_server or former.synced_revision > 0)
    and (former.server_id, former.username) <> (line.server_id, line.username)
    and (line.id = (former.left_password ->> 'line_id')::uuid
      or former.left_password is null and line.username = former.username
        and line.created_at <= former.wanted_since)
    and line.suspension is null and new.wanted is not null and new.revision > new.synced_revision;
