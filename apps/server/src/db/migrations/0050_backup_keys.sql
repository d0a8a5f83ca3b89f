-- A key of kind backup downloads backups and checks the books, and does nothing else.
alter table api_keys add column kind text not null default 'account'
  constraint api_keys_kind_check check (kind in ('account', 'backup'));
