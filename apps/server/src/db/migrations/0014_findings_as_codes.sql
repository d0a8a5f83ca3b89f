-- What a push or a check of a card server ended in was stored as an English sentence. It is a code with
-- data now, from which the sentence is made. Words that are nobody's sentence are kept as they are.
alter table server_accounts add column last_finding jsonb;
alter table cccam_servers add column status_finding jsonb;
alter table server_checks add column finding jsonb;

create function finding_of_push(message text, tried text) returns jsonb
language sql immutable as $$
  select coalesce(
    (select jsonb_build_object('code', 'PUSH_NOT_REACHED', 'data', jsonb_build_object(
          'operation', known.operation, 'reason', substr(message, length(known.sentence) + 1)))
      from (values
        ('add', 'User was added to database but could not be added to CCcam server: '),
        ('edit', 'User was updated in database but could not be updated in CCcam server: '),
        ('renew', 'User was renewed in database but could not be renewed in CCcam server: '),
        ('delete', 'User was deleted from database but could not be deleted from CCcam server: ')
      ) as known (operation, sentence)
      where starts_with(message, known.sentence)),
    (select jsonb_build_object('code', 'PUSH_REFUSED', 'data', jsonb_build_object(
          'operation', known.operation))
      from (values
        ('add', 'Failed to add user to CCcam server'),
        ('edit', 'Failed to update user in CCcam server'),
        ('renew', 'Failed to renew user in CCcam server'),
        ('delete', 'Failed to delete user from CCcam server')
      ) as known (operation, sentence)
      where message = known.sentence),
    -- A card server's own words.
    jsonb_build_object('code', 'PUSH_REFUSED', 'data', jsonb_build_object(
      'operation', tried, 'words', message)))
  where message is not null
$$;

create function finding_of_server(message text) returns jsonb
language sql immutable as $$
  select coalesce(
    (select jsonb_build_object('code', 'NOT_REACHED', 'data', jsonb_build_object(
          'reason', substr(message, length(sentence) + 1)))
      from (values ('Failed to connect to server: ')) as known (sentence)
      where starts_with(message, sentence)),
    (select jsonb_build_object('code', 'CONFIGURATION_INCOMPLETE', 'data', jsonb_build_object(
          'fields', to_jsonb(string_to_array(substr(message, length(sentence) + 1), ', '))))
      from (values ('Server configuration is incomplete. Missing fields: ')) as known (sentence)
      where starts_with(message, sentence)),
    (select jsonb_build_object('code', known.code, 'data', jsonb_build_object(
          known.name, substr(message, length(known.sentence) + 1)::integer))
      from (values
        ('HEALTH_CHECK_FAILED', 'status', 'Health check failed with status: '),
        ('AUTHENTICATION_FAILED', 'status', 'Authentication failed with status: '),
        ('API_NOT_RESPONDING', 'status', 'CCcam server API is not responding. HTTP status: '),
        ('API_AUTHENTICATION_FAILED', 'status', 'API Authentication failed. HTTP status: '),
        ('NO_USER_LIST', 'status', 'The card server has no list of its users. HTTP status: '),
        ('ACCOUNTS_LOST', 'missing', 'The card server has lost its accounts. Missing: ')
      ) as known (code, name, sentence)
      where starts_with(message, known.sentence)
        -- A number as the sentence is made from it, so that it reads the same again.
        and substr(message, length(known.sentence) + 1) ~ '^(0|[1-9][0-9]{0,8})$'),
    jsonb_build_object('code', 'IN_OTHER_WORDS', 'data', jsonb_build_object('words', message)))
  where message is not null
$$;

update server_accounts set last_finding = finding_of_push(last_message, operation)
  where last_message is not null;
update cccam_servers set status_finding = finding_of_server(status_message)
  where status_message is not null;
update server_checks set finding = finding_of_server(message) where message is not null;

-- A panel of the version before may run beside this one and goes on writing sentences, a null among
-- them; this version never names these columns. They go with the functions, a release later.
create function keep_finding_of_push() returns trigger language plpgsql as $$
begin
  new.last_finding := finding_of_push(new.last_message, new.operation);
  return new;
end $$;
create trigger keep_finding before update of last_message on server_accounts
  for each row execute function keep_finding_of_push();

create function keep_finding_of_server() returns trigger language plpgsql as $$
begin
  new.status_finding := finding_of_server(new.status_message);
  return new;
end $$;
create trigger keep_finding before update of status_message on cccam_servers
  for each row execute function keep_finding_of_server();

create function keep_finding_of_check() returns trigger language plpgsql as $$
begin
  new.finding := finding_of_server(new.message);
  return new;
end $$;
create trigger keep_finding before insert on server_checks
  for each row when (new.message is not null) execute function keep_finding_of_check();

-- As before, with the finding in the sentence's place.
create or replace function announce_server_accounts() returns trigger language plpgsql as $$
begin
  perform announce('users', 'UPDATE', array_agg(distinct line.id), array_agg(distinct line.owner_id))
    from new_rows
    join old_rows using (server_id, username)
    join users line using (server_id, username)
    where (new_rows.revision > new_rows.synced_revision, new_rows.last_finding)
      is distinct from (old_rows.revision > old_rows.synced_revision, old_rows.last_finding);
  return null;
end $$;
