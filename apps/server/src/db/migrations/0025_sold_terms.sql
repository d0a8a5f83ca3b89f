-- What a sale or renewal paid for. Beside the transfer, because credit_transfers, whose columns are
-- sealed, gets no further one. Of transfers made before there is none.
create table sold_terms (
  transfer_id uuid primary key references credit_transfers (id),
  months integer not null check (months >= 0),
  -- The line's last day from then on.
  expiry_date date not null
);
create trigger sold_terms_append_only
  before update or delete or truncate on sold_terms
  for each statement execute function refuse_change();

-- Reminders -----------------------------------------------------------------------------------

insert into settings (key, value) values ('reminder_hour', '8');

-- The day on which a daily job was last done, in the panel's time zone.
alter table schedules add column done_on date;
