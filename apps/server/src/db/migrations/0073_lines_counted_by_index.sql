-- With the server beside owner and date, and the line beside the server, an account's lines that are on are counted in
-- two indexes alone.
drop index if exists users_owner_expiry;
create index if not exists users_owner_expiry on users (owner_id, expiry_date, id) include (status_label, server_id);
drop index if exists line_presence_server;
create index if not exists line_presence_server on line_presence (server_id, line_id) where connections > 0;
-- A page of lines looks up each of its rows, by half as many blocks as through the primary key.
create index if not exists line_presence_line on line_presence using hash (line_id);
