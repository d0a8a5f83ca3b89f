-- A row holds the password hash of one account. The columns of other ways to sign in, and the table of
-- confirmation links that were never stored, have been unused since 1.1.0, which still writes the three that stay.
alter table auth_credentials
  drop column if exists access_token,
  drop column if exists refresh_token,
  drop column if exists id_token,
  drop column if exists access_token_expires_at,
  drop column if exists refresh_token_expires_at,
  drop column if exists scope,
  alter column id set default gen_random_uuid(),
  alter column account_id drop not null,
  alter column provider_id set default 'credential';
drop index if exists auth_credentials_user_id;
create unique index auth_credentials_user_id on auth_credentials (user_id);
drop table if exists auth_verifications;
