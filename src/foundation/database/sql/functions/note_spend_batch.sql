-- Notes that this transaction stored records, for `roll_up_usage`. Times could not say what is new: records arrive late
-- and out of order.
create or replace function note_spend_batch() returns trigger language plpgsql as $$
begin
  insert into spend_batches
  select pg_current_xact_id(), min(at), max(at) from stored group by date_trunc('hour', at, 'UTC');
  return null;
end
$$;
