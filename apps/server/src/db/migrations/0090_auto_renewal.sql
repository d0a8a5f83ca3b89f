-- The months by which a line renews itself at the end of its term; null if it does not.
alter table users add column if not exists auto_renew_months integer check (auto_renew_months between 1 and 120);
create index if not exists users_auto_renewal on users (expiry_date, owner_id) where auto_renew_months is not null;

-- Automatic renewal spends the owner's credits, so it ends when a line gets another owner.
create or replace function end_auto_renewal() returns trigger language plpgsql as $$
begin
  new.auto_renew_months := null;
  return new;
end $$;
create or replace trigger end_auto_renewal before update of owner_id on users
  for each row when (new.owner_id is distinct from old.owner_id) execute function end_auto_renewal();
