-- Counts again what was set aside. The records become a batch of this transaction, as if it had stored them. What is
-- still refused is set aside again.
create or replace function count_set_aside_again() returns integer language plpgsql as $$
declare
  records integer;
begin
  perform pg_advisory_xact_lock(7226091839);
  delete from unclosed_periods;
  with taken as (delete from uncounted_records returning request_id, round, at), moved as (
    update spend_log as log set batch = pg_current_xact_id() from taken
    where log.request_id = taken.request_id and log.round = taken.round and log.at = taken.at and log.batch = '0'
    returning log.at
  ), noted as (
    insert into spend_batches
    select pg_current_xact_id(), min(at), max(at) from moved group by date_trunc('hour', at, 'UTC')
  )
  select count(*) into records from moved;
  return records;
end
$$;
