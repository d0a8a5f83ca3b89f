-- An order that the account itself took back. Like a declined one it can still be approved, when its
-- money comes after all.
alter table top_ups drop constraint top_ups_status_check;
alter table top_ups add constraint top_ups_status_check
  check (status in ('pending', 'approved', 'rejected', 'withdrawn'));
