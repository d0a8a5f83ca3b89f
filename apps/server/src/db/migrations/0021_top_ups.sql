-- Credit packages -----------------------------------------------------------------------------

create table credit_packages (
  id uuid primary key,
  name text not null,
  credits bigint not null check (credits > 0),
  -- In hundredths of the currency.
  price_minor bigint not null check (price_minor > 0),
  currency text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  is_active boolean not null default true,
  created_by uuid not null references auth_users (id),
  created_at timestamptz not null default now()
);

-- Top-ups -------------------------------------------------------------------------------------

-- Package, credits and price are as they were when it was ordered; package_id has no foreign key,
-- because packages are deleted. The numbers are counted and not from a sequence, so that none is
-- missing and a restored backup goes on where it ended.
create table top_ups (
  id uuid primary key,
  number bigint not null unique check (number > 0),
  account_id uuid not null references auth_users (id),
  package_id uuid not null,
  package_name text not null,
  credits bigint not null check (credits > 0),
  price_minor bigint not null check (price_minor > 0),
  currency text collate "C" not null,
  method text not null check (method in ('transfer', 'card')),
  note text,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  decided_at timestamptz,
  -- Null where a card payment approved it.
  decided_by uuid references auth_users (id),
  transfer_id uuid unique references credit_transfers (id),
  -- The card payment that the credits were issued for; null where a person approved it.
  paid_session text collate "C",
  problem text check (problem in ('wrong_amount', 'paid_again')),
  -- After a refund or a dispute: taken back, spent before that, and let off by an administrator.
  returned_credits bigint not null default 0,
  owed_credits bigint not null default 0,
  forgiven_credits bigint not null default 0,
  constraint top_ups_issued check ((status = 'approved') = (transfer_id is not null)),
  constraint top_ups_decided check ((status = 'pending') = (decided_at is null)),
  constraint top_ups_reason check ((status = 'rejected') = (reason is not null)),
  constraint top_ups_paid check (paid_session is null or status = 'approved'),
  constraint top_ups_returned check (returned_credits >= 0 and owed_credits >= 0
    and forgiven_credits >= 0 and returned_credits + owed_credits <= credits)
);
create index top_ups_account_id on top_ups (account_id, created_at, id);
create index top_ups_created_at on top_ups (created_at, id);
create index top_ups_status on top_ups (status, created_at, id);
create index top_ups_package_id on top_ups (package_id) where status = 'approved';
create index top_ups_flagged on top_ups (created_at, id)
  where problem is not null or owed_credits > 0;

-- A session of Stripe Checkout, in which a top-up is paid by card.
create table card_payments (
  session_id text collate "C" primary key,
  top_up_id uuid not null references top_ups (id),
  attempt integer not null,
  status text not null default 'open'
    check (status in ('open', 'processing', 'paid', 'expired', 'failed')),
  payment_intent text collate "C" unique,
  paid_minor bigint,
  paid_currency text,
  created_at timestamptz not null default now(),
  unique (top_up_id, attempt)
);

-- Money that went back: what was refunded of a charge, and disputes. It may be reported before the
-- payment that it belongs to, so it names that as Stripe does.
create table card_reversals (
  -- Of the charge or of the dispute.
  id text collate "C" primary key,
  kind text not null check (kind in ('refund', 'dispute')),
  payment_intent text collate "C" not null,
  amount_minor bigint not null check (amount_minor >= 0),
  -- False for a dispute that was won, or in which the money was not taken.
  stands boolean not null,
  -- No later report changes it.
  is_final boolean not null,
  reported_at timestamptz not null
);
create index card_reversals_payment_intent on card_reversals (payment_intent);

-- The transfers by which credits of a top-up went back, or came again after a dispute was won.
create table top_up_returns (
  transfer_id uuid primary key references credit_transfers (id),
  top_up_id uuid not null references top_ups (id)
);
create index top_up_returns_top_up_id on top_up_returns (top_up_id);

-- Each event of Stripe is applied once.
create table stripe_events (
  id text collate "C" primary key,
  type text not null,
  received_at timestamptz not null default now()
);

create trigger announce_insert after insert on credit_packages
  referencing new table as new_rows for each statement execute function announce_rows('created_by');
create trigger announce_update after update on credit_packages
  referencing new table as new_rows for each statement execute function announce_rows('created_by');
create trigger announce_delete after delete on credit_packages
  referencing old table as old_rows for each statement execute function announce_rows('created_by');
create trigger announce_insert after insert on top_ups
  referencing new table as new_rows for each statement execute function announce_rows('account_id');
create trigger announce_update after update on top_ups
  referencing new table as new_rows for each statement execute function announce_rows('account_id');
