-- The last seal that was taken away with its rows because they were older than AUDIT_KEEP_DAYS; the seal
-- after it continues from here. `proof` is made with the panel's key.
create table if not exists seal_cuts (
  table_name text primary key check (table_name = 'audit_log'),
  number bigint not null check (number > 0),
  seal text not null,
  sealed_until timestamptz not null,
  entries bigint not null check (entries > 0),
  proof text not null
);

-- An entry may go where its seal is at or before the cut, and in no other way.
create or replace function refuse_uncut_delete() returns trigger language plpgsql as $$
declare
  cut bigint;
begin
  select number into cut from seal_cuts where table_name = 'audit_log';
  -- Looked up row by row, whatever is known of the tables' sizes.
  if exists (
    select from gone
      where ((select seal_number from audit_sealed where entry_id = gone.id) <= cut) is not true)
  then
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

drop trigger if exists audit_log_append_only on audit_log;
create trigger audit_log_append_only before update or truncate on audit_log
  for each statement execute function refuse_change();
drop trigger if exists audit_log_delete_cut on audit_log;
create trigger audit_log_delete_cut after delete on audit_log
  referencing old table as gone for each statement execute function refuse_uncut_delete();
