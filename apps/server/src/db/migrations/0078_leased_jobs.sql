-- Bulk work, scheduled jobs and suspensions for sharing are claimed in our own tables. The schema pgboss stays for panels
-- of 1.5, which use it for their own; a later version drops it.
alter table jobs add column if not exists claimed_until timestamptz;
alter table schedules add column if not exists attempts integer not null default 0;
alter table line_presence add column if not exists is_to_suspend boolean not null default false;
create index if not exists line_presence_to_suspend on line_presence (line_id) where is_to_suspend;

create or replace function wake_job_loops() returns trigger language plpgsql as $$
begin
  perform pg_notify('linekeeper_jobs', '');
  return null;
end $$;
create or replace trigger wake_job_loops after insert on jobs
  for each row when (new.state = 'queued') execute function wake_job_loops();

-- What waits in the queue of an earlier version, besides bulk work, whose rows are in jobs.
do $$ begin
  if to_regclass('pgboss.job') is not null then
    update line_presence set is_to_suspend = true where line_id in (
      select (data ->> 'line_id')::uuid from pgboss.job
        where name = 'sharing' and state < 'completed');
    insert into mails (mail)
      select data from pgboss.job where name = 'mail' and state < 'completed'
      on conflict do nothing;
  end if;
end $$;
