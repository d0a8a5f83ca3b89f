-- A search of the audit log finds the entry of a redemption by its code, which stands in the history.
create index if not exists audit_log_redemptions on audit_log ((data ->> 'transfer_id'))
  where action = 'credits.redeem';
create index if not exists redeem_code_history_code on redeem_code_history
  using gin (code gin_trgm_ops);
