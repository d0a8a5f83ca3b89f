-- All that an entry says can be searched for: every text in it, whatever its field is called. Built-in
-- functions alone, since an index is built without a search path.
drop index audit_log_words;
create or replace function audit_words(
  subject_id text, data jsonb, before jsonb, after jsonb, address text, request_id text
) returns text language sql immutable parallel safe as $$
  select concat_ws(' ', subject_id,
    (select string_agg(found #>> '{}', ' ')
      from jsonb_path_query(jsonb_build_array(data, before, after),
        'strict $.** ? (@.type() == "string")') as found),
    address, request_id)
$$;
create index audit_log_words on audit_log
  using gin (audit_words(subject_id, data, before, after, address, request_id) gin_trgm_ops);
