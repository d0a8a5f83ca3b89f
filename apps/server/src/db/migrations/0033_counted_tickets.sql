-- How many tickets there are, so that the first page of all of them need not count them. The row is locked
-- by whoever opens a ticket anyway, for its number.
alter table ticket_numbers add column if not exists tickets bigint not null default 0;
update ticket_numbers set tickets = (select count(*) from tickets);

create or replace function count_tickets() returns trigger language plpgsql as $$
begin
  update ticket_numbers set tickets = tickets
    + (select count(*) from changed) * case tg_op when 'INSERT' then 1 else -1 end;
  return null;
end $$;
drop trigger if exists count_insert on tickets;
create trigger count_insert after insert on tickets
  referencing new table as changed for each statement execute function count_tickets();
drop trigger if exists count_delete on tickets;
create trigger count_delete after delete on tickets
  referencing old table as changed for each statement execute function count_tickets();
