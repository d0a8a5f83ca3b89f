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

-- Who turned every mail off gets none of the new ones.
update account_settings
  set value = jsonb_set(
    value, '{mails}', (value -> 'mails') || '{"credits_added":false,"credits_taken_back":false}')
  where value -> 'mails' @> '{"lines_expiring":false,"low_balance":false,"server_error":false,
    "new_account":false,"top_ups":false}';
