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
