-- Knowledge base --------------------------------------------------------------------------------

-- Words are compared by their stems, also without accents, so that they are found as people type them.
-- Neither database knows Polish, so its words are compared whole.
create text search configuration articles_en (copy = pg_catalog.english);
create text search configuration articles_de (copy = pg_catalog.german);
create text search configuration articles_pl (copy = pg_catalog.simple);
create text search configuration articles_pt (copy = pg_catalog.portuguese);
alter text search configuration articles_en
  alter mapping for hword, hword_part, word with unaccent, english_stem;
alter text search configuration articles_de
  alter mapping for hword, hword_part, word with unaccent, german_stem;
alter text search configuration articles_pl
  alter mapping for hword, hword_part, word with unaccent, simple;
alter text search configuration articles_pt
  alter mapping for hword, hword_part, word with unaccent, portuguese_stem;

-- Stems of words as they are written (of Portuguese plurals only these are right), or without accents.
create function article_words(locale text, is_folded boolean) returns regconfig
  language sql immutable strict parallel safe
  as $$ select case locale || is_folded
    when 'detrue' then 'articles_de'::regconfig
    when 'pltrue' then 'articles_pl'::regconfig
    when 'pttrue' then 'articles_pt'::regconfig
    when 'entrue' then 'articles_en'::regconfig
    when 'defalse' then 'pg_catalog.german'::regconfig
    when 'plfalse' then 'pg_catalog.simple'::regconfig
    when 'ptfalse' then 'pg_catalog.portuguese'::regconfig
    else 'pg_catalog.english'::regconfig end $$;

-- Where the database's locale is C, quotation marks and dashes beyond ASCII count as letters of the
-- words beside them; a control character parts them.
create function parted_words(text) returns text
  language sql immutable strict parallel safe
  as $$ select regexp_replace($1, '([\u00ab\u00bb\u2010-\u203a])', E'\x01\\1\x01', 'g') $$;

-- Category and position are the same in all translations of an article.
create table articles (
  id uuid primary key,
  title text not null,
  -- Markdown, and what of it is read.
  body text not null,
  body_text text not null,
  category text not null,
  locale text not null,
  position integer not null check (position > 0),
  translation_of uuid references articles (id) check (translation_of <> id),
  is_published boolean not null default false,
  -- Null where it came with the panel.
  created_by uuid references auth_users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search tsvector not null generated always as (
    setweight(to_tsvector(article_words(locale, true), parted_words(title)), 'A')
      || setweight(to_tsvector(article_words(locale, false), parted_words(title)), 'A')
      || setweight(to_tsvector(article_words(locale, true), parted_words(body_text)), 'C')
      || setweight(to_tsvector(article_words(locale, false), parted_words(body_text)), 'C')) stored,
  folded text not null generated always as (fold(title || ' ' || body_text)) stored
);
create index articles_position on articles (category, position, id);
create unique index articles_translation on articles (translation_of, locale);
create index articles_search on articles using gin (search);
create index articles_folded on articles using gin (folded gin_trgm_ops);

create table article_feedback (
  article_id uuid not null references articles (id) on delete cascade,
  account_id uuid not null references auth_users (id),
  helpful boolean not null,
  given_at timestamptz not null default now(),
  primary key (article_id, account_id)
);

-- Articles that came with the panel, each once: what was edited or deleted since does not come again.
create table shipped_articles (
  name text collate "C" not null,
  locale text collate "C" not null,
  shipped_at timestamptz not null default now(),
  primary key (name, locale)
);

create trigger announce_insert after insert on articles
  referencing new table as new_rows for each statement execute function announce_rows('created_by');
create trigger announce_update after update on articles
  referencing new table as new_rows for each statement execute function announce_rows('created_by');
create trigger announce_delete after delete on articles
  referencing old table as old_rows for each statement execute function announce_rows('created_by');
