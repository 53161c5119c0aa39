-- How many attempts an endpoint throttled, and how often a request left it for another endpoint.
create or replace function tries_of_endpoints(attempts jsonb)
returns table (endpoint_id uuid, throttles integer, failovers integer) language sql immutable as $$
  select one.endpoint, count(*) filter (where one.status = 429)::integer,
    count(*) filter (where one.next is not null and one.next <> one.endpoint)::integer
  from (
    select attempt ->> 'endpointId' as text_id, (attempt ->> 'status')::integer as status, place,
      case when attempt ->> 'endpointId' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        then (attempt ->> 'endpointId')::uuid end as endpoint,
      lead(case when attempt ->> 'endpointId' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        then (attempt ->> 'endpointId')::uuid end) over (order by place) as next
    from jsonb_array_elements(attempts) with ordinality as tried (attempt, place)
  ) as one
  where one.endpoint is not null
  group by one.endpoint
$$;
