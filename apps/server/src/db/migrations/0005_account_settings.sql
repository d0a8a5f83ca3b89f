-- What an account prefers: language, density, columns, shortcuts, mails and saved views.
create table account_settings (
  account_id uuid primary key references auth_users (id) on delete cascade,
  value jsonb not null default '{}',
  updated_at timestamptz not null default now()
);
