-- Within the hour everything that is undone comes back. How many delivered lines an account and those below it may undo
-- in 24 hours is bounded instead of paid by the day.
insert into settings (key, value) values ('undo_daily_limit', '20') on conflict do nothing;
