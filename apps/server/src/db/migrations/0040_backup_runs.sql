-- What became of each backup of the schedule, by the moment at which it was due.
create table if not exists backup_runs (
  due_at timestamptz primary key,
  state text not null check (state in ('made', 'failed')),
  -- Only of one that was made.
  file text,
  bytes bigint,
  sha256 text,
  finished_at timestamptz not null default clock_timestamp(),
  -- Kept where a later attempt went well.
  failed_at timestamptz
);

-- Who has turned all mails off gets none of a new kind either.
update account_settings
  set value = jsonb_set(value, '{mails,backup_failed}', 'false')
  where jsonb_typeof(value -> 'mails') = 'object'
    and jsonb_path_exists(value, '$.mails.* ? (@ == false)')
    and not jsonb_path_exists(value, '$.mails.* ? (@ == true)');
