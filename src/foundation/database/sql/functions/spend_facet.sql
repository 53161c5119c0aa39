-- The id of a facet. The hashes are Postgres' own: four calls of C code instead of a digest over text.
create or replace function spend_facet(team uuid, person uuid, endpoint uuid, model text) returns bigint
language sql immutable parallel safe as $$
  select uuid_hash_extended(coalesce(team, '00000000-0000-0000-0000-000000000000'::uuid),
    uuid_hash_extended(coalesce(person, '00000000-0000-0000-0000-000000000000'::uuid),
    uuid_hash_extended(coalesce(endpoint, '00000000-0000-0000-0000-000000000000'::uuid), hashtextextended(model, 0))))
$$;
