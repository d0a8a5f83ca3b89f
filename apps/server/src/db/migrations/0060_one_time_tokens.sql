-- Tokens of links, and of sign-ins that wait for their second step. Only their hashes are stored; data has what
-- belongs to a token of its purpose.
create table if not exists one_time_tokens (
  token_hash text collate "C" primary key,
  purpose text not null,
  account_id uuid not null references auth_users (id) on delete cascade,
  data jsonb not null default '{}',
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index if not exists one_time_tokens_account_id on one_time_tokens (account_id);
create unique index if not exists one_time_tokens_single on one_time_tokens (account_id, purpose)
  where purpose in ('reset_password', 'change_email');

-- Panels of 1.1.0 keep using the three tables of before, also beside this version and after going back to
-- theirs. Until a later version removes them, what one side stores, uses up or ends, the other has likewise.
-- The token of a change of address was its signed id, so the hash is that of the id.
create or replace function copy_from_old_tokens() returns trigger language plpgsql as $$
declare
  token_purpose text := tg_argv[0];
  stored jsonb;
begin
  if tg_op <> 'INSERT' then
    stored := to_jsonb(old);
    delete from one_time_tokens
      where account_id = old.account_id and purpose = token_purpose
        and (purpose <> 'second_step' or token_hash = stored ->> 'token_hash');
  end if;
  if tg_op <> 'DELETE' then
    stored := to_jsonb(new);
    insert into one_time_tokens (token_hash, purpose, account_id, data, expires_at, created_at)
      values (
        coalesce(stored ->> 'token_hash',
          rtrim(translate(encode(sha256(convert_to(stored ->> 'id', 'UTF8')), 'base64'), '+/', '-_'), '=')),
        token_purpose, new.account_id, stored - '{token_hash,account_id,expires_at,created_at}'::text[],
        new.expires_at, new.created_at)
      on conflict do nothing;
  end if;
  return null;
end $$;

create or replace function copy_to_old_tokens() returns trigger language plpgsql as $$
declare
  stored jsonb;
begin
  if tg_op <> 'INSERT' then
    delete from password_reset_links where token_hash = old.token_hash;
    delete from two_factor_challenges where token_hash = old.token_hash;
    delete from email_changes where old.purpose = 'change_email' and account_id = old.account_id;
  end if;
  if tg_op <> 'DELETE' then
    stored := to_jsonb(new) || new.data;
    if new.purpose = 'reset_password' then
      insert into password_reset_links select * from jsonb_populate_record(null::password_reset_links, stored);
    elsif new.purpose = 'second_step' then
      insert into two_factor_challenges select * from jsonb_populate_record(null::two_factor_challenges, stored);
    elsif new.purpose = 'change_email' then
      insert into email_changes select * from jsonb_populate_record(null::email_changes, stored);
    end if;
  end if;
  return null;
end $$;

create or replace trigger copy_token after insert or update or delete on password_reset_links
  for each row when (pg_trigger_depth() = 0) execute function copy_from_old_tokens('reset_password');
create or replace trigger copy_token after insert or update or delete on two_factor_challenges
  for each row when (pg_trigger_depth() = 0) execute function copy_from_old_tokens('second_step');
create or replace trigger copy_token after insert or update or delete on email_changes
  for each row when (pg_trigger_depth() = 0) execute function copy_from_old_tokens('change_email');

-- Those that are open now are copied by the triggers.
update password_reset_links set created_at = created_at;
update two_factor_challenges set created_at = created_at;
update email_changes set created_at = created_at;

create or replace trigger copy_token after insert or update or delete on one_time_tokens
  for each row when (pg_trigger_depth() = 0) execute function copy_to_old_tokens();
