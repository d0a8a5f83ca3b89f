-- Names that card servers have and the panel does not know, as they were when last looked for.
create table if not exists server_orphans (
  id uuid primary key,
  server_id uuid not null references cccam_servers (id) on delete cascade,
  username text collate "C" not null,
  expiry_date date,
  found_at timestamptz not null default clock_timestamp(),
  unique (server_id, username)
);

-- When each server was last asked for its names, and what became of it.
create table if not exists orphan_looks (
  server_id uuid primary key references cccam_servers (id) on delete cascade,
  -- Raised by every change of the server's orphans, so that what was read before is not stored after.
  revision bigint not null default 0,
  next_look_at timestamptz not null default now(),
  looked_at timestamptz,
  finding jsonb,
  tells_passwords boolean not null default false
);
