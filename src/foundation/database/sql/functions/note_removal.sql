-- Notes what left a section, and deletes notes that are older than two days.
create or replace function note_removal() returns trigger language plpgsql as $$
declare
  known_by text;
begin
  if tg_argv[0] = 'keys' then
    known_by := encode(old.hash, 'hex');
  else
    known_by := old.id;
  end if;
  insert into snapshot_removals (section, revision, key)
  values (tg_argv[0], version_of_section(tg_argv[0]), known_by);
  delete from snapshot_removals where ctid in (
    select ctid from snapshot_removals where removed_at < now() - interval '2 days' for update skip locked);
  return null;
end
$$;
