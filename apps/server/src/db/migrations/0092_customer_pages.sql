-- The page of a line's customer. Its token is derived from the id with a key that is not in the database.
create table if not exists line_pages (
  line_id uuid primary key references users (id) on delete cascade,
  id uuid not null,
  token_hash text not null unique,
  made_at timestamptz not null default now(),
  opened_at timestamptz,
  -- The customer asked for a renewal. The request is done once the line has another expiry date.
  asked_at timestamptz,
  asked_expiry date,
  check ((asked_at is null) = (asked_expiry is null))
);
create index if not exists line_pages_asked on line_pages (asked_at) where asked_at is not null;

-- Whether a line has a page, and what its customer did there, is part of the line.
create or replace function announce_line_pages() returns trigger language plpgsql as $$
begin
  perform announce('users', 'UPDATE', array_agg(id), array_agg(owner_id))
    from users where id = coalesce(new.line_id, old.line_id);
  return null;
end $$;
create or replace trigger announce_change after insert or update or delete on line_pages
  for each row execute function announce_line_pages();
