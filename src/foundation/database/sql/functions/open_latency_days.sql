-- Days that are over and whose histograms of users and teams are not complete.
create or replace function open_latency_days(today date) returns setof date language sql stable as $$
  select distinct day from org_days
  where day < today and day not in (select day from latency_marks where is_complete)
    and day not in (select first_day from unclosed_periods where kind = 'day')
  order by 1
$$;
