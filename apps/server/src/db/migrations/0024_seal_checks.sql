-- What the last check of all seals found, table by table: checking reads every sealed row, so the page
-- that tells of it does not do so by itself.
create table seal_checks (
  table_name text primary key check (table_name in ('audit_log', 'credit_transfers')),
  faults integer not null check (faults >= 0),
  checked_at timestamptz not null
);
