-- Spend of users and teams by day, in the transaction that stores the records: budgets are decided by these sums, so
-- they can neither miss a record nor count one twice. The sums of keys are only shown, so `roll_up_usage` adds them.
-- The order of the rows prevents that two instances wait for each other in a circle.
create or replace function count_spend_days() returns trigger language plpgsql as $$
begin
  insert into spend_days as known (scope, subject_id, day, spent_nano_usd)
  select subject.scope, subject.id, (stored.at at time zone 'UTC')::date as day, sum(stored.cost_nano_usd)
  from stored
  cross join lateral (values ('user', stored.user_id), ('team', stored.team_id)) as subject (scope, id)
  where subject.id is not null and stored.cost_nano_usd > 0
  group by 1, 2, 3
  order by 1, 2, 3
  on conflict (scope, subject_id, day) do update set spent_nano_usd = known.spent_nano_usd + excluded.spent_nano_usd;
  return null;
end
$$;
