-- The row of a line on several servers is of all of them together; `places` is what each of them said at its last reading.
alter table line_presence
  add column if not exists places jsonb,
  -- The server on which the line is online; null if that is its first one.
  add column if not exists seen_on uuid;
create index if not exists line_presence_places on line_presence (line_id) where places is not null;
-- As before, with the server beside the line, so that lines online are still counted in the index alone.
drop index if exists line_presence_server;
create index if not exists line_presence_server on line_presence (server_id, line_id) include (seen_on)
  where connections > 0;

-- Of the lines online, those that are counted as online on another server.
alter table server_presence add column if not exists lines_elsewhere integer not null default 0;

-- All deliveries that an item waits for, if they are several: `waits_on` is one of their servers.
alter table job_items add column if not exists also_waits jsonb check (jsonb_typeof(also_waits) = 'array');
