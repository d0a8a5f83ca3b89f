-- Lines that may be on from more networks at once than the settings say, and suspensions that end by themselves.
alter table users add column if not exists sharing_exempt boolean not null default false;
create index if not exists users_suspended_until on users ((suspension ->> 'until'))
  where suspension ->> 'until' is not null;
