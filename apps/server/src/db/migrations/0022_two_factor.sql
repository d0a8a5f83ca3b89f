-- Two-factor sign-in ------------------------------------------------------------------------------

-- The secret of an account's authenticator app, encrypted. It is asked for while is_on; before, it waits
-- for a first code. last_step is the time step of the newest accepted code, so that none works twice.
create table two_factor (
  account_id uuid primary key references auth_users (id) on delete cascade,
  secret text not null,
  is_on boolean not null default false,
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

-- SHA-256 of each code that was not used yet; a code has 80 random bits, which need no slow hash.
create table recovery_codes (
  account_id uuid not null references two_factor (account_id) on delete cascade,
  code_hash text collate "C" not null,
  primary key (account_id, code_hash)
);

-- Sign-ins whose password was right and whose code is awaited.
create table two_factor_challenges (
  token_hash text collate "C" primary key,
  account_id uuid not null references auth_users (id) on delete cascade,
  wrong_codes integer not null default 0,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index two_factor_challenges_account_id on two_factor_challenges (account_id);

-- Changes of email addresses ------------------------------------------------------------------------

-- The one change of an account that waits to be confirmed. The link's token is derived from id and
-- SECRET_KEY, so it stands nowhere. session_id, the session that asked, stays when the others end.
create table email_changes (
  account_id uuid primary key references auth_users (id) on delete cascade,
  id uuid not null unique,
  new_email text not null,
  session_id uuid,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
