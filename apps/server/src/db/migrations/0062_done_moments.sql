-- The last moment at which a daily or hourly job was due whose work has ended. Panels of 1.1.0 keep using
-- done_on until a later version removes it.
alter table schedules add column if not exists done_at timestamptz;
