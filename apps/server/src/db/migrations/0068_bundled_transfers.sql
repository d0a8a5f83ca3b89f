-- Transfers of one job that follow each other without another of the account between them are a bundle, which the
-- list of transfers shows as one row. The seals do not cover these columns, because they move no credits. Transfers made
-- before, or by panels of 1.2.0, are in no bundle.
alter table credit_transfers
  add column if not exists job_id uuid,
  -- The first of the bundle, which has none itself; the place in it, and the credits up to and with this one.
  add column if not exists bundle_id uuid references credit_transfers (id),
  add column if not exists bundle_nth integer,
  add column if not exists bundle_amount bigint;
alter table credit_transfers drop constraint if exists credit_transfers_bundle;
alter table credit_transfers add constraint credit_transfers_bundle check (
  (bundle_id is null) = (bundle_nth is null) and (bundle_id is null) = (bundle_amount is null)
    and (bundle_id is null or job_id is not null and bundle_nth > 1)) not valid;
create unique index if not exists credit_transfers_bundle on credit_transfers (bundle_id, bundle_nth)
  where bundle_id is not null;
-- The rows of the list, however long the bundles are.
create index if not exists credit_transfers_heads_from on credit_transfers (from_id, created_at, id)
  where bundle_id is null;
create index if not exists credit_transfers_heads_to on credit_transfers (to_id, created_at, id)
  where bundle_id is null;
create index if not exists credit_transfers_heads on credit_transfers (created_at, id)
  where bundle_id is null;
