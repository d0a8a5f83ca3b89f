-- A machine is what entries of the panel have in common that lead to one card server: by one address, or because its
-- agent's folder or its OSCam says so, or an administrator. Lines of one machine share their names and accounts.
create table if not exists machines (id uuid primary key);
alter table cccam_servers add column if not exists machine_id uuid references machines (id);
create index if not exists cccam_servers_machine_id on cccam_servers (machine_id);

-- Whoever saves an entry, a panel of the version before among them. An entry with a new address leaves its machine. What
-- has been joined once stays joined: OSCam has another instance after each start, and its entries learn of it one by one.
create or replace function find_machine() returns trigger language plpgsql as $$
declare
  address text := machine_of(new.host_ip, new.api_port);
  known uuid;
begin
  if tg_op = 'INSERT' then
    if new.machine_id is not null then return new; end if;
  elsif address <> machine_of(old.host_ip, old.api_port) then
    new.machine_id := null;
  end if;
  perform pg_advisory_xact_lock(hashtext('machines'));
  select machine_id into known from cccam_servers
    where id <> new.id and machine_id is not null and (machine = address or instance = new.instance)
    order by machine = address desc, created_at, id limit 1;
  -- The first entry of a machine that tells an instance joins others that have it. Later ones do not, or they would undo
  -- what an administrator has parted.
  if known is not null then
    update cccam_servers set machine_id = known
      where id <> new.id and machine_id <> known and (machine_id = new.machine_id
        or machine_id in (select entry.machine_id from cccam_servers entry
            where entry.id <> new.id and entry.instance = new.instance)
          and not exists (select from cccam_servers entry
            where entry.id <> new.id and entry.machine_id = known and entry.instance = new.instance));
  end if;
  new.machine_id := coalesce(known, new.machine_id);
  if new.machine_id is null then
    new.machine_id := gen_random_uuid();
    insert into machines (id) values (new.machine_id);
  end if;
  return new;
end $$;
create or replace trigger find_machine before insert on cccam_servers
  for each row execute function find_machine();
create or replace trigger find_machine_again before update of host_ip, api_port, instance on cccam_servers
  for each row when (new.machine_id is null
    or (new.host_ip, new.api_port) is distinct from (old.host_ip, old.api_port)
    or new.instance is not null and new.instance is distinct from old.instance)
  execute function find_machine();

update cccam_servers set instance = instance where machine_id is null;
alter table cccam_servers alter column machine_id set not null;
