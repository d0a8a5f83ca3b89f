-- A sale of one line is a job that has ended, as its renewal is, so that it can be undone.
alter table jobs drop constraint jobs_action_check;
alter table jobs add constraint jobs_action_check check (action in
  ('sell', 'renew', 'edit', 'move', 'readdress', 'suspend', 'resume', 'delete', 'export', 'import', 'undo'));

-- What a row's server had not taken when its job ended: the server, and the revision that it waits for. What others
-- change later has a revision of its own, and is no part of the job. Null where nothing was left to be sent.
alter table job_items
  add column if not exists waits_on uuid,
  add column if not exists waits_for bigint;
