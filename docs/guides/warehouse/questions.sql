-- Ten questions about spend, for Amazon Athena, ClickHouse and DuckDB alike. Change the days.

-- 1. What does each team pay in each month?
select substr(cast(dt as varchar), 1, 7) as month, coalesce(team_name, '(none)') as team, sum(cost_usd) as cost
from spend
where dt between '2026-10-01' and '2026-11-30'
group by 1, 2
order by 1, 3 desc, 2;

-- 2. Which twenty users cost most?
select coalesce(user_name, '(none)') as person, sum(cost_usd) as cost,
  count(*) filter (where round = 0 and not is_probe) as requests
from spend
where dt between '2026-10-01' and '2026-11-30'
group by 1
order by 2 desc, 1
limit 20;

-- 3. What does each model cost, and for how many tokens?
select model, sum(cost_usd) as cost, sum(output_tokens) as output_tokens,
  sum(input_tokens + cache_read_tokens + cache_write_5m_tokens + cache_write_1h_tokens) as prompt_tokens
from spend
where dt between '2026-10-01' and '2026-11-30'
group by 1
order by 2 desc, 1;

-- 4. How does the cost of a month add up by day?
select day, cost, sum(cost) over (order by day) as cost_so_far
from (
  select cast(dt as varchar) as day, sum(cost_usd) as cost
  from spend
  where dt between '2026-11-01' and '2026-11-30'
  group by 1
) as days
order by day;

-- 5. Which share of the cost has each team?
select team, cost, 100 * cast(cost as double) / cast(sum(cost) over () as double) as percent
from (
  select coalesce(team_name, '(none)') as team, sum(cost_usd) as cost
  from spend
  where dt between '2026-10-01' and '2026-11-30'
  group by 1
) as teams
order by cost desc, team;

-- 6. How much has the prompt cache saved, compared with plain input?
select sum(
  cache_read_tokens * (rate_input_usd - rate_cache_read_usd)
  + cache_write_5m_tokens * (rate_input_usd - rate_cache_write_5m_usd)
  + cache_write_1h_tokens * (rate_input_usd - coalesce(rate_cache_write_1h_usd, rate_cache_write_5m_usd))
) / 1000000 as saved
from spend
where dt between '2026-10-01' and '2026-11-30';

-- 7. How much was paid for responses that failed or that nobody waited for?
select case when status >= 400 then 'failed' when is_aborted then 'left' else 'complete' end as fate,
  sum(cost_usd) as cost, count(*) as records
from spend
where dt between '2026-10-01' and '2026-11-30' and not is_probe
group by 1
order by 1;

-- 8. What do keys without a user cost, such as those of builds?
select coalesce(key_name, key_id) as api_key, sum(cost_usd) as cost
from spend
where dt between '2026-10-01' and '2026-11-30' and user_id is null and key_id is not null
group by 1
order by 2 desc, 1;

-- 9. Which ten sessions cost most?
select session_id, coalesce(user_name, '(none)') as person, sum(cost_usd) as cost
from spend
where dt between '2026-10-01' and '2026-11-30' and session_id is not null
group by 1, 2
order by 3 desc, 1
limit 10;

-- 10. How much of the cost is an estimate?
select is_estimated or is_price_estimated as is_estimate, sum(cost_usd) as cost, count(*) as records
from spend
where dt between '2026-10-01' and '2026-11-30'
group by 1
order by 1;
