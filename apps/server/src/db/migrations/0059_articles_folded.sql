-- No search reads it: titles are compared one by one, and texts by their words.
drop index if exists articles_folded;
