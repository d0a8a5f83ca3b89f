-- How many members a group has, and whether it has any.
create index auth_users_group_id on auth_users (group_id);

-- A change of a group is heard by those who may see groups; a change of its permissions ends, as before,
-- the streams of its members. Ids of groups are text, unlike those that announce() takes.
create or replace function announce_groups() returns trigger language plpgsql as $$
declare
  ids text[];
begin
  if tg_op = 'DELETE' then
    select array_agg(id) into ids from old_rows;
  else
    select array_agg(id) into ids from new_rows;
  end if;
  if coalesce(cardinality(ids), 0) > 0 then
    perform pg_notify('linekeeper', json_build_object(
      'table', 'groups',
      'op', tg_op,
      'ids', case when cardinality(ids) <= 20 then to_json(ids) end,
      'owners', '[]'::json
    )::text);
  end if;
  if tg_op = 'UPDATE' then
    perform pg_notify('linekeeper_revoked', json_build_object('group_id', new_rows.id)::text)
      from new_rows join old_rows using (id)
      where new_rows.permissions is distinct from old_rows.permissions;
  end if;
  return null;
end $$;
create trigger announce_insert after insert on groups
  referencing new table as new_rows for each statement execute function announce_groups();
create trigger announce_delete after delete on groups
  referencing old table as old_rows for each statement execute function announce_groups();

-- The fixed groups are described as the screens say it.
update groups set description = 'Runs the whole panel'
  where id = '1' and description = 'Full control of the panel';
update groups set description = 'Sell lines with their own credits'
  where id = '2' and description = 'Sell lines from their own credits';
update groups set description = 'Have an account, sell nothing'
  where id = '3' and description = 'No permissions';
