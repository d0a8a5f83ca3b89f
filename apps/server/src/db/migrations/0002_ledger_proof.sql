-- A sale is given back once at most: the row that gives it back names it, and no two name the same.
alter table credit_transfers add column refund_of uuid unique references credit_transfers (id);
create index credit_transfers_created_at on credit_transfers (created_at, id);

-- Committed transfers are sealed in batches: each seal is an HMAC over its rows and the seal before.
create table credit_seals (
  number bigint primary key,
  transfers integer not null check (transfers > 0),
  -- The latest moment of a transfer sealed so far. One from long before it that is in no seal did not
  -- come in by committing late.
  sealed_until timestamptz not null,
  seal text not null,
  created_at timestamptz not null default now()
);

-- Which seal a transfer is in. Neither ids nor moments order commits, so a seal names its rows one by
-- one: whatever commits late is in the next. The digest tells which of a seal's rows was changed.
create table credit_sealed (
  transfer_id uuid primary key,
  seal_number bigint not null,
  digest bytea not null
);
create index credit_sealed_seal_number on credit_sealed (seal_number, transfer_id);
