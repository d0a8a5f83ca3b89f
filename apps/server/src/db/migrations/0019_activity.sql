-- What became of a line's pushes: one row where a push fails first, and one where its server has it.
-- server_accounts only knows how a push stands. Without foreign keys: lines and servers are deleted, what
-- happened stays.
create table line_pushes (
  id uuid primary key,
  line_id uuid not null,
  -- Who had the line then.
  owner_id uuid not null,
  server_id uuid not null,
  username text not null,
  operation text not null check (operation in ('add', 'edit', 'renew', 'delete')),
  ok boolean not null,
  -- Those before this one that failed, since somebody last asked for it.
  failures integer not null,
  -- From the change until this.
  took_ms bigint not null,
  finding jsonb,
  created_at timestamptz not null default clock_timestamp()
);
create index line_pushes_line on line_pushes (line_id, created_at, id);
create index line_pushes_owner on line_pushes (owner_id, created_at, id);

-- The stories of a line and of an account, newest first, by index.
create index audit_log_actor on audit_log (actor_id, created_at, id);
create index credit_transfers_line on credit_transfers (line_id, created_at, id)
  where line_id is not null;

-- What an entry of the audit log is found by, besides its accounts: names, addresses, ids.
create function audit_words(
  subject_id text, data jsonb, before jsonb, after jsonb, address text, request_id text
) returns text language sql immutable parallel safe as $$
  select subject_id
    || ' ' || coalesce(data ->> 'username', '')
    || ' ' || coalesce(before ->> 'username', '') || ' ' || coalesce(after ->> 'username', '')
    || ' ' || coalesce(before ->> 'email', '') || ' ' || coalesce(after ->> 'email', '')
    || ' ' || coalesce(before ->> 'server_name', '') || ' ' || coalesce(after ->> 'server_name', '')
    || ' ' || coalesce(address, '') || ' ' || coalesce(request_id, '')
$$;
create index audit_log_words on audit_log
  using gin (audit_words(subject_id, data, before, after, address, request_id) gin_trgm_ops);
