-- Words of articles ------------------------------------------------------------------------------

-- Without accents, so that a misspelt word is read as one that there is. What no article says any more
-- stays: a search by it finds nothing.
create table if not exists article_vocabulary (
  locale text collate "C" not null,
  word text collate "C" not null,
  primary key (locale, word)
);
create index if not exists article_vocabulary_word on article_vocabulary using gin (word gin_trgm_ops);

-- Letters beyond ASCII part nothing, whatever the database's locale.
create or replace function words_in(folded text) returns setof text
  language sql immutable strict parallel safe
  as $$ select distinct word
    from regexp_split_to_table(folded, '[\x01-\x2f\x3a-\x60\x7b-\x7f]+') as word
    where char_length(word) between 4 and 40 $$;

create or replace function keep_article_words() returns trigger language plpgsql as $$
begin
  insert into article_vocabulary (locale, word)
    select distinct locale, word from changed, words_in(folded) as word order by locale, word
    on conflict do nothing;
  return null;
end $$;
drop trigger if exists words_insert on articles;
create trigger words_insert after insert on articles
  referencing new table as changed for each statement execute function keep_article_words();
drop trigger if exists words_update on articles;
create trigger words_update after update on articles
  referencing new table as changed for each statement execute function keep_article_words();

insert into article_vocabulary (locale, word)
  select distinct locale, word from articles, words_in(folded) as word
  on conflict do nothing;

-- What administrators see of tickets is counted along indexes ------------------------------------

create index if not exists tickets_active on tickets (user_id, assigned_to) where status <> 'closed';

-- Nothing was written since, notes among it, so that what is unread need not be compared ticket by ticket.
alter table ticket_reads add column if not exists is_current boolean not null default false;
update ticket_reads set is_current = true
  from tickets where tickets.id = ticket_id and read_to >= last_position;
create index if not exists ticket_reads_current on ticket_reads (account_id) where is_current;

-- Who marks a ticket as read holds it locked, as does who writes to it.
create or replace function see_if_current() returns trigger language plpgsql as $$
begin
  new.is_current := coalesce(
    new.read_to >= (select last_position from tickets where id = new.ticket_id), false);
  return new;
end $$;
drop trigger if exists current_when_read on ticket_reads;
create trigger current_when_read before insert or update of read_to on ticket_reads
  for each row execute function see_if_current();

create or replace function see_who_is_current() returns trigger language plpgsql as $$
begin
  update ticket_reads set is_current = read_to >= new.last_position
    where ticket_id = new.id and is_current <> (read_to >= new.last_position);
  return null;
end $$;
drop trigger if exists current_until_written on tickets;
create trigger current_until_written after update of last_position on tickets
  for each row execute function see_who_is_current();

-- Of what others write a reader hears by the ticket, and owners of notes nothing.
create or replace function announce_reading() returns trigger language plpgsql as $$
begin
  perform announce('ticket_reads', 'UPDATE', array_agg(distinct ticket_id), array_agg(distinct account_id))
    from new_rows join old_rows as former using (ticket_id, account_id)
    where new_rows.read_to <> former.read_to;
  return null;
end $$;
drop trigger if exists announce_update on ticket_reads;
create trigger announce_update after update on ticket_reads
  referencing old table as old_rows new table as new_rows
  for each statement execute function announce_reading();
