-- Locks the version. A transaction that writes a row without raising the version is waited for by the next one that
-- raises it.
create or replace function version_of_section(name text) returns bigint language plpgsql as $$
declare
  found_version bigint;
begin
  select version into found_version from cache_versions where section = name for update;
  return coalesce(found_version, 0);
end
$$;
