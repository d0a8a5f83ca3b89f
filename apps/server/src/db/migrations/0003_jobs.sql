-- Work on many lines at once. Each row is done in one transaction with its own mark, so a restart
-- neither repeats nor forgets one. The queue only says that there is work; what is left to do stands here.
create table jobs (
  id uuid primary key,
  account_id uuid not null references auth_users (id) on delete cascade,
  action text not null check (action in
    ('renew', 'edit', 'move', 'delete', 'export', 'import', 'undo')),
  arguments jsonb not null default '{}',
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'cancelled')),
  -- The job that this one takes back; once at most.
  undo_of uuid unique references jobs (id) on delete cascade,
  total integer not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  updated_at timestamptz not null default now()
);
create index jobs_account_id on jobs (account_id, created_at, id);
create index jobs_unfinished on jobs (created_at) where state in ('queued', 'running');
create index jobs_finished_at on jobs (finished_at);

create table job_items (
  job_id uuid not null references jobs (id) on delete cascade,
  position integer not null,
  -- No foreign key: lines are deleted, what was done to them stays.
  line_id uuid,
  username text not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed', 'skipped')),
  cost integer not null default 0,
  -- Why it was not done, or done in part: an error's code, its data and the field it is about.
  error jsonb,
  -- The fields that were changed, as they were and as they became.
  before jsonb,
  after jsonb,
  -- The row of an import, its password sealed for line_id; taken away when the job ends.
  input jsonb,
  transfer_id uuid references credit_transfers (id),
  primary key (job_id, position)
);
create index job_items_waiting on job_items (job_id, position) where state = 'waiting';

create function announce_jobs() returns trigger language plpgsql as $$
begin
  perform announce('jobs', tg_op, array_agg(id), array_agg(distinct account_id)) from new_rows;
  return null;
end $$;
create trigger announce_insert after insert on jobs
  referencing new table as new_rows for each statement execute function announce_jobs();
create trigger announce_update after update on jobs
  referencing new table as new_rows for each statement execute function announce_jobs();
