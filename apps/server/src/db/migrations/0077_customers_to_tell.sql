-- Rows of jobs whose customers must enter something else, found by their lines: a seller's start page asks for them.
create index if not exists job_items_to_tell on job_items (line_id) where jsonb_exists(before, 'receivers');
