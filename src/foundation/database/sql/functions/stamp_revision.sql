-- Notes in which version of its section a row was last written. The argument is the section.
create or replace function stamp_revision() returns trigger language plpgsql as $$
begin
  new.revision := version_of_section(tg_argv[0]);
  return new;
end
$$;
