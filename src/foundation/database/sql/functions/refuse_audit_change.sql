-- Retention may delete rows that are at least a day old by its setting. Nothing else may change the audit log.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '23 hours' then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end
$$;
