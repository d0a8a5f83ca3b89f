-- Rows of a job that named no line are counted here and not stored: whoever asks for many of them fills
-- nothing.
alter table jobs add column if not exists not_found integer not null default 0 check (not_found >= 0);
