-- What an account prefers about a list is kept under the list's name: until now there was one list.
-- What is stored already under the new name was chosen later, and stays.
update account_settings
  set value = (value - 'density' - 'columns' - 'saved_views')
    || jsonb_build_object('lists',
      case jsonb_typeof(value -> 'lists') when 'object' then value -> 'lists' else '{}' end
      || jsonb_build_object('lines',
        case when value ? 'columns'
          then jsonb_build_object('columns', value -> 'columns') else '{}' end
        || case when value ? 'density'
          then jsonb_build_object('density', value -> 'density') else '{}' end
        || case when value ? 'saved_views'
          then jsonb_build_object('views', value -> 'saved_views') else '{}' end
        || case jsonb_typeof(value #> '{lists,lines}') when 'object'
          then value #> '{lists,lines}' else '{}' end))
  where jsonb_typeof(value) = 'object' and value ?| array['density', 'columns', 'saved_views'];
