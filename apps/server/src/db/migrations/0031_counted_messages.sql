-- Messages are counted for their list and for the badge: with all that this asks of them in the index, the
-- rows themselves, which lie far apart, need not be read.
drop index messages_global;
create index messages_global on messages (publish_at, id) include (expires_at, created_by)
  where state = 'published' and is_global;
drop index messages_recipient_id;
create index messages_recipient_id on messages (recipient_id, publish_at, id)
  include (state, expires_at, created_by) where recipient_id is not null;
