-- How the panel reaches a card server: by the API that an agent speaks, or by OSCam's own web interface. The
-- fingerprint is that of the certificate which an administrator has confirmed; without encryption, passwords
-- cross a public network only after their word.
alter table cccam_servers add column if not exists kind text not null default 'api'
  check (kind in ('api', 'oscam_webif'));
alter table cccam_servers add column if not exists tls_fingerprint text collate "C";
alter table cccam_servers add column if not exists plain_http_allowed boolean not null default false;

-- An account in OSCam whose mark an operator has overwritten is known by the password that was delivered last, so that
-- one is kept at every change there.
create or replace function keep_left_password() returns trigger language plpgsql as $$
declare
  is_renamed boolean := tg_op = 'UPDATE' and new.username <> old.username and new.server_id = old.server_id;
  is_told boolean := exists (select from cccam_servers where id = old.server_id and kind = 'oscam_webif');
begin
  update server_accounts
    set left_password = jsonb_build_object('line_id', old.id, 'password', old.password)
    where server_id = old.server_id and username = old.username
      and (revision > synced_revision or is_renamed or is_told) and left_password is null
      and (synced_revision > 0 or wanted_since <= old.created_at)
      and (sold is null or sold ->> 'line_id' <> old.id::text
        or synced_revision >= (sold ->> 'revision')::bigint);
  return null;
end $$;
