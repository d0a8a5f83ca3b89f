-- Attachments ---------------------------------------------------------------------------------

-- Files of tickets. While one arrives, `size` is the most that it can have: quotas are counted by it.
create table attachments (
  id uuid primary key,
  account_id uuid not null references auth_users (id) on delete cascade,
  name text not null,
  type text check (type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif',
    'application/pdf', 'text/plain')),
  size bigint not null check (size >= 0),
  width integer,
  height integer,
  is_whole boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  -- What it is attached to: a ticket's description, or one of its replies or notes.
  ticket_id uuid references tickets (id) on delete cascade,
  reply_id uuid references ticket_replies (id) on delete cascade,
  note_id uuid references ticket_notes (id) on delete cascade,
  -- Its place among those beside it.
  position integer not null default 0,
  constraint attachments_whole check (not is_whole or type is not null),
  constraint attachments_attached check (ticket_id is null or is_whole),
  constraint attachments_line check (
    (reply_id is null or note_id is null)
    and (ticket_id is not null or (reply_id is null and note_id is null)))
);
create index attachments_account_id on attachments (account_id);
create index attachments_ticket_id on attachments (ticket_id) where ticket_id is not null;
create index attachments_reply_id on attachments (reply_id) where reply_id is not null;
create index attachments_note_id on attachments (note_id) where note_id is not null;
create index attachments_unattached on attachments (created_at) where ticket_id is null;

create table attachment_chunks (
  attachment_id uuid not null references attachments (id) on delete cascade,
  position integer not null check (position >= 0),
  bytes bytea not null check (octet_length(bytes) between 1 and 262144),
  primary key (attachment_id, position)
);
-- Images and PDF are compressed already.
alter table attachment_chunks alter column bytes set storage external;
