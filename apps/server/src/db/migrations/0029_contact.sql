-- Contact ---------------------------------------------------------------------------------------

create table contact_messages (
  id uuid primary key,
  name text not null,
  email text not null,
  subject text not null,
  message text not null,
  language text collate "C" not null,
  account_id uuid references auth_users (id),
  status text not null default 'open' check (status in ('open', 'answered', 'closed', 'spam')),
  created_at timestamptz not null default clock_timestamp(),
  answer text,
  answered_at timestamptz,
  answered_by uuid references auth_users (id),
  answer_is_mailed boolean not null default false,
  constraint contact_messages_answered
    check ((answer is null) = (answered_at is null) and (answer is null) = (answered_by is null)),
  constraint contact_messages_mailed check (answer is not null or not answer_is_mailed)
);
create index contact_messages_created_at on contact_messages (created_at, id);
create index contact_messages_status on contact_messages (status, created_at, id);
-- Whether the same was sent a moment ago.
create index contact_messages_email on contact_messages (email, created_at);

create trigger announce_insert after insert on contact_messages
  referencing new table as new_rows for each statement execute function announce_rows('account_id');
create trigger announce_update after update on contact_messages
  referencing new table as new_rows for each statement execute function announce_rows('account_id');
create trigger announce_delete after delete on contact_messages
  referencing old table as old_rows for each statement execute function announce_rows('account_id');

-- Who has turned all mails off gets none of a new kind either.
update account_settings
  set value = jsonb_set(value, '{mails,contact_received}', 'false')
  where jsonb_typeof(value -> 'mails') = 'object'
    and jsonb_path_exists(value, '$.mails.* ? (@ == false)')
    and not jsonb_path_exists(value, '$.mails.* ? (@ == true)');
