-- What only panels of 1.6 and older wrote or read goes, with the rules that let them run beside a newer one. A panel of
-- 1.8 uses none of it; the page Database setup of 1.7 and 1.8 reports the tables and functions as missing.
-- The next version drops the index server_accounts_former and the line_id in server_accounts.wanted, which only panels of
-- 1.8 read now.

-- Sentences in place of findings, and reports of agents without lines that can still connect.
drop trigger if exists keep_finding on cccam_servers;
drop trigger if exists keep_finding on server_checks;
drop trigger if exists keep_finding on server_accounts;
drop function if exists keep_finding_of_server();
drop function if exists keep_finding_of_check();
drop function if exists keep_finding_of_push();
drop function if exists finding_of_server(text);
drop function if exists finding_of_push(text, text);
update cccam_servers set reload = '{"still_connect": 0, "still_names": []}' || reload
  where jsonb_typeof(reload) = 'object' and not jsonb_exists(reload, 'still_connect');
alter table cccam_servers drop column if exists status_message;
alter table server_checks drop column if exists message;

-- Accounts that say neither whose they are nor, in claimed_until, that an attempt had no answer.
drop trigger if exists keep_unanswered on server_accounts;
drop trigger if exists which_line_it_is on server_accounts;
drop trigger if exists which_line_it_is_now on server_accounts;
drop trigger if exists keep_suspended_row on server_accounts;
drop function if exists keep_unanswered();
drop function if exists which_line_it_is();
drop function if exists keep_suspended_row();
-- Nothing is wanted of a suspended line but its former account, whatever is written.
create or replace function want_nothing_while_suspended() returns trigger language plpgsql as $$
begin
  if exists (select from users where id = new.of_line and suspension is not null) then
    new.wanted := null;
  end if;
  return new;
end $$;
create or replace trigger want_nothing_while_suspended before update of wanted on server_accounts
  for each row when (old.wanted is null and new.wanted is not null and (new.wanted ->> 'is_former') is null)
  execute function want_nothing_while_suspended();
alter table server_accounts
  drop column if exists last_message,
  drop column if exists updated_at,
  drop column if exists sold,
  drop column if exists is_unanswered;

-- As before, without those columns.
create or replace function former_account_follows() returns trigger language plpgsql as $$
begin
  update server_accounts
    set wanted = case when tg_op = 'UPDATE' then jsonb_strip_nulls(jsonb_build_object(
          'line_id', old.id, 'expiry_date', new.expiry_date, 'is_former', true,
          'is_suspended', case when new.suspension is not null then true end)) end,
      of_line = case when tg_op = 'UPDATE' then old.id end,
      operation = case when tg_op = 'UPDATE' then 'edit' else 'delete' end,
      left_password = coalesce(left_password,
        jsonb_build_object('line_id', old.id, 'password', old.password)),
      revision = revision + 1,
      attempts = 0,
      last_finding = null,
      next_try_at = now() + interval '1 second',
      wanted_since = case when revision > synced_revision then wanted_since else now() end
    where of_line = old.id and (wanted ->> 'is_former') is not null;
  return null;
end $$;
create or replace function keep_left_password() returns trigger language plpgsql as $$
declare
  is_renamed boolean := tg_op = 'UPDATE' and new.username <> old.username and new.server_id = old.server_id;
  is_told boolean := exists (select from cccam_servers where id = old.server_id and kind = 'oscam_webif');
begin
  update server_accounts
    set left_password = jsonb_build_object('line_id', old.id, 'password', old.password)
    where server_id = old.server_id and username = old.username
      and (revision > synced_revision or claimed_until is not null or is_renamed or is_told)
      and left_password is null
      and (synced_revision > 0 or on_server or claimed_until is not null
        or (wanted_since <= old.created_at and not old.is_trial
          and not exists (select from credit_transfers where line_id = old.id)));
  return null;
end $$;

-- Links, changes of address and second steps of 1.1.0, and copies of those that are stored since.
drop trigger if exists copy_token on one_time_tokens;
drop table if exists password_reset_links;
drop table if exists email_changes;
drop table if exists two_factor_challenges;
drop function if exists copy_from_old_tokens();
drop function if exists copy_to_old_tokens();

-- Queues, words and days of before.
drop schema if exists pgboss cascade;
drop table if exists article_vocabulary;
alter table notifications drop column if exists mail_state;
alter table schedules drop column if exists done_on;

-- An account has one password.
alter table auth_credentials
  drop column if exists id,
  drop column if exists account_id,
  drop column if exists provider_id,
  add primary key using index auth_credentials_user_id;
