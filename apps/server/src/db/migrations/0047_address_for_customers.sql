-- What customers enter: null where it is the address that the panel has. The DES key is null where it
-- is the usual one.
alter table cccam_servers
  add column if not exists public_host text,
  add column if not exists public_port integer check (public_port between 1 and 65535),
  add column if not exists des_key text check (des_key ~ '^[0-9a-f]{28}$'),
  add column if not exists newcamd_ports jsonb not null default '[]';

-- A job that lists the lines whose default address became another one, because their server's did.
alter table jobs drop constraint jobs_action_check;
alter table jobs add constraint jobs_action_check check (action in
  ('renew', 'edit', 'move', 'readdress', 'suspend', 'resume', 'delete', 'export', 'import', 'undo'));
