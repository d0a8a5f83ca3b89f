-- A key of kind backup downloads backups and checks the books, and does nothing else.
alter table api_keys add column if not exists kind text not null default 'account';
alter table api_keys drop constraint if exists api_keys_kind_check;
alter table api_keys add constraint api_keys_kind_check check (kind in ('account', 'backup'));
