-- Redeem codes ----------------------------------------------------------------------------------

-- code_key is what two spellings of a code have in common (codeKey in the contract). That no code is
-- redeemed more often than it may be is also checked here.
create table redeem_codes (
  id uuid primary key,
  code text collate "C" not null unique,
  code_key text collate "C" not null unique,
  credits bigint not null check (credits > 0),
  description text,
  is_active boolean not null default true,
  created_by uuid not null references auth_users (id),
  created_at timestamptz not null default now(),
  max_uses integer not null default 1 check (max_uses > 0),
  times_used integer not null default 0,
  expires_at timestamptz,
  constraint redeem_codes_uses check (times_used between 0 and max_uses)
);
create index redeem_codes_created_at on redeem_codes (created_at, id);

-- Every try, also one that failed. code_id has no foreign key: codes are deleted, what was redeemed
-- stays. The transfer is named here, because credit_transfers gets no further column.
create table redeem_code_history (
  id uuid primary key,
  code_id uuid,
  code text not null,
  credits bigint not null check (credits >= 0),
  user_id uuid not null references auth_users (id),
  redeemed_at timestamptz not null default clock_timestamp(),
  status text not null default 'success' check (status in ('success', 'error')),
  transfer_id uuid unique references credit_transfers (id),
  constraint redeem_code_history_paid check (
    case status when 'success' then code_id is not null and transfer_id is not null and credits > 0
      else transfer_id is null and credits = 0 end)
);
-- One redemption of a code by an account.
create unique index redeem_code_history_once on redeem_code_history (code_id, user_id)
  where status = 'success';
create index redeem_code_history_user_id on redeem_code_history (user_id, redeemed_at, id);
create index redeem_code_history_redeemed_at on redeem_code_history (redeemed_at, id);
create trigger redeem_code_history_append_only
  before update or delete or truncate on redeem_code_history
  for each statement execute function refuse_change();

create trigger announce_insert after insert on redeem_codes
  referencing new table as new_rows for each statement execute function announce_rows('created_by');
create trigger announce_update after update on redeem_codes
  referencing new table as new_rows for each statement execute function announce_rows('created_by');
create trigger announce_delete after delete on redeem_codes
  referencing old table as old_rows for each statement execute function announce_rows('created_by');
create trigger announce_insert after insert on redeem_code_history
  referencing new table as new_rows for each statement execute function announce_rows('user_id');
