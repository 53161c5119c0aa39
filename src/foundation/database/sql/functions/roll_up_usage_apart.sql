-- Counts the oldest batch alone. A batch that is refused is halved: the younger half becomes a batch of this
-- transaction, as if it had stored it. So every record is in one batch at any time, whatever is killed.
create or replace function roll_up_usage_apart() returns text language plpgsql as $$
declare
  oldest xid8;
  first_time timestamptz;
  last_time timestamptz;
  records bigint;
  refusal_code text;
  refusal text;
begin
  perform pg_advisory_xact_lock(7226091839);
  select batch into oldest from spend_batches order by batch limit 1;
  if oldest is null then return 'nothing'; end if;
  begin
    perform roll_up_usage(1);
    return 'counted';
  exception when data_exception or integrity_constraint_violation or program_limit_exceeded then
    get stacked diagnostics refusal_code = returned_sqlstate, refusal = message_text;
  end;
  select min(first_at), max(last_at) into first_time, last_time from spend_batches where batch = oldest;
  select count(*) into records from spend_log where at >= first_time and at <= last_time and batch = oldest;
  if records <= 1 then
    insert into uncounted_records (request_id, round, at, code, reason)
      select request_id, round, at, refusal_code, left(refusal, 300) from spend_log
      where at >= first_time and at <= last_time and batch = oldest
      on conflict do nothing;
    -- Batch 0 is counted by nothing, so the record stays in the log alone.
    update spend_log set batch = '0' where at >= first_time and at <= last_time and batch = oldest;
    delete from spend_batches where batch = oldest;
    return 'set-aside';
  end if;
  update spend_log set batch = pg_current_xact_id()
    where (at, request_id, round) in (
      select at, request_id, round from spend_log where at >= first_time and at <= last_time and batch = oldest
      order by at desc, request_id desc, round desc limit records / 2
    );
  insert into spend_batches
    select pg_current_xact_id(), min(at), max(at) from spend_log
    where at >= first_time and at <= last_time and batch = pg_current_xact_id() group by date_trunc('hour', at, 'UTC');
  return 'halved';
end
$$;
