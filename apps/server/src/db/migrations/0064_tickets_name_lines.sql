-- A ticket can name the line that it is about. Deleting the line leaves the ticket.
alter table tickets
  add column if not exists line_id uuid references users (id) on delete set null;
create index if not exists tickets_line on tickets (line_id) where line_id is not null;
