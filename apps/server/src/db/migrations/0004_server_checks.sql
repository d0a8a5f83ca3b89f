-- Every test of a server's connection, for its history.
create table server_checks (
  id uuid primary key,
  server_id uuid not null references cccam_servers (id) on delete cascade,
  status text not null check (status in ('active', 'error')),
  latency_ms integer,
  message text,
  checked_at timestamptz not null default now()
);
create index server_checks_server_id on server_checks (server_id, checked_at);
