-- False from a sign-up until who reads the mail has set the password, or has signed up in the browser
-- that confirmed. Accounts of before keep their second step when their password is forgotten.
alter table auth_users add column if not exists is_mailbox_proven boolean not null default true;
