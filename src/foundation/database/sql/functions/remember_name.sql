-- Keeps the name of a removed row for the spend log, which has only ids. The argument is the kind of the row.
create or replace function remember_name() returns trigger language plpgsql as $$
declare
  removed jsonb := to_jsonb(old);
begin
  insert into former_names (id, kind, name)
  values (old.id, tg_argv[0], coalesce(removed ->> 'subject', removed ->> 'name'))
  on conflict (id) do nothing;
  return null;
end
$$;
