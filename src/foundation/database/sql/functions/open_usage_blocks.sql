-- Blocks of eight days, counted from a day long before any record, that are over for a day and not closed.
create or replace function open_usage_blocks(today date) returns setof date language sql stable as $$
  select distinct day - (day - date '2000-01-01') % 8 from org_days
  where day - (day - date '2000-01-01') % 8 + 9 <= today
    and day - (day - date '2000-01-01') % 8 not in (select block from closed_blocks)
    and day - (day - date '2000-01-01') % 8 not in (select first_day from unclosed_periods where kind = 'block')
  order by 1
$$;
