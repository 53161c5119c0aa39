-- A user who leaves a team is no longer its lead.
create or replace function lead_of_the_team_that_is_left() returns trigger language plpgsql as $$
begin
  new.grants := array_remove(new.grants, 'team:lead');
  return new;
end
$$;
