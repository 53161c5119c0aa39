-- Buckets grow by 2 %, so the middle of a bucket is at most 1 % from anything in it. 0 ms has a bucket of its own.
create or replace function latency_bucket(ms integer) returns smallint language sql immutable parallel safe as $$
  select case when ms <= 0 then -1 else ceil(ln(ms::float8) / ln(1.02::float8)) end::smallint
$$;
