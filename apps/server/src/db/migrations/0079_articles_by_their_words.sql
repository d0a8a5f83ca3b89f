-- Words of texts are no longer guessed: what is spelt wrong is found in titles alone. The table stays, empty, for
-- panels of 1.5 that run beside; a later version drops it.
drop trigger if exists words_insert on articles;
drop trigger if exists words_update on articles;
drop function if exists keep_article_words();
drop function if exists words_in(text);
delete from article_vocabulary;
