-- Deliveries to a server by time: how many changes it got since it responds again.
create index if not exists line_pushes_server on line_pushes (server_id, created_at) where ok;
