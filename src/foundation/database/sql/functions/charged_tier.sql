-- How many of the lengths at which prices change the prompt exceeds.
create or replace function charged_tier(prompt_tokens bigint) returns smallint
language sql immutable parallel safe as $$
  select ((prompt_tokens > 100000)::integer + (prompt_tokens > 200000)::integer)::smallint
$$;
