-- A search of the audit log finds words with and without their accents, as every other search does. The
-- function has its own search path, since an index is built without one.
create or replace function folded_audit_words(
  subject_id text, data jsonb, before jsonb, after jsonb, address text, request_id text
) returns text language sql immutable parallel safe set search_path to public as $$
  select fold(audit_words(subject_id, data, before, after, address, request_id))
$$;
-- It keeps the name of the index before, which 0032 drops where it is applied anew.
drop index if exists audit_log_words;
create index audit_log_words on audit_log
  using gin (folded_audit_words(subject_id, data, before, after, address, request_id) gin_trgm_ops);
