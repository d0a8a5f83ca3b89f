-- Where orders by bank transfer are paid to; empty until an administrator writes it.
insert into settings (key, value) values ('bank_details', '""') on conflict (key) do nothing;
