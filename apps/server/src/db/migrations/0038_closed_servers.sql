-- A server that takes no new lines, and how many lines one takes at most.
alter table cccam_servers
  add column if not exists closed_to_new_lines boolean not null default false,
  add column if not exists max_lines integer check (max_lines > 0);
