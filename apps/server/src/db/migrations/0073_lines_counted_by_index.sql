-- With the server beside owner and date, and the line beside the server, an account's lines that are on are counted in
-- two indexes alone.
drop index if exists users_owner_expiry;
create index if not exists users_owner_expiry on users (owner_id, expiry_date, id) include (status_label, server_id);
drop index if exists line_presence_server;
create index if not exists line_presence_server on line_presence (server_id, line_id) where connections > 0;
