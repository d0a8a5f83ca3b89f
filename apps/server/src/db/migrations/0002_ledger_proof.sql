-- A sale is given back once at most: the row that gives it back names it, and no two name the same.
alter table credit_transfers add column refund_of uuid unique references credit_transfers (id);
create index credit_transfers_created_at on credit_transfers (created_at, id);

-- Committed transfers are sealed in batches: each seal is an HMAC over its rows and the seal before.
create table credit_seals (
  number bigint primary key,
  first_id uuid not null,
  last_id uuid not null,
  transfers integer not null check (transfers > 0),
  seal text not null,
  created_at timestamptz not null default now()
);
