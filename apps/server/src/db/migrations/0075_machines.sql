-- Two entries may be one card server, whose host is spelled in two ways: in capitals, with a dot at its end, in
-- another form of the same address, or by one of the names and addresses of the panel's own machine. The twin of
-- this function is `machineOf` in domain/machines/same-machine.ts.
create or replace function machine_of(host_ip text, api_port integer) returns text
language plpgsql immutable as $$
declare
  spelled text := rtrim(btrim(lower(host_ip), '[]'), '.');
begin
  if spelled ~ ':' or spelled ~ '^[0-9.]+$' then
    spelled := regexp_replace(host(spelled::inet), '^::ffff:(?=[0-9]+\.)', '');
  end if;
  if spelled ~ '(^|\.)localhost$' or spelled = '::1' or spelled ~ '^127\.[0-9.]+$' then
    spelled := 'loopback';
  end if;
  return spelled || ':' || api_port;
exception when invalid_text_representation then
  return spelled || ':' || api_port;
end $$;

alter table cccam_servers add column if not exists machine text collate "C" not null
  generated always as (machine_of(host_ip, api_port)) stored;
