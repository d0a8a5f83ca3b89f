-- Words of texts are no longer guessed: what is spelt wrong is found in titles alone.
drop trigger if exists words_insert on articles;
drop trigger if exists words_update on articles;
drop function if exists keep_article_words();
drop function if exists words_in(text);
drop table if exists article_vocabulary;
