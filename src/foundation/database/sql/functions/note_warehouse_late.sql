-- Notes records of days that are closed. Whoever closes a day takes the lock alone: all that was being stored is
-- committed then, and whoever stores afterwards sees the day as closed. So no record is in both places, and none in
-- neither.
create or replace function note_warehouse_late() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7226091845);
  if exists (
    select from stored where at < (select (max(day) + 1)::timestamp at time zone 'UTC' from warehouse_days)
  ) then
    insert into warehouse_late (day, request_id, round, at)
    select days.day, stored.request_id, stored.round, stored.at
    from stored join warehouse_days as days on days.day = (stored.at at time zone 'UTC')::date
    on conflict do nothing;
  end if;
  return null;
end
$$;
