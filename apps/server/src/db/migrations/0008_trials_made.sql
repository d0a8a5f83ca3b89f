-- Every trial that was made, whether its line still stands or not: deleting one makes no room for
-- another. Kept for the 24 hours that trial_daily_limit counts.
create table trials_made (
  line_id uuid primary key,
  account_id uuid not null references auth_users (id) on delete cascade,
  made_at timestamptz not null default now()
);
create index trials_made_account_id on trials_made (account_id, made_at);

insert into settings (key, value) values ('trial_daily_limit', '20');
