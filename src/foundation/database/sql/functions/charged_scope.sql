-- Which prices apply to an invoked model.
create or replace function charged_scope(hosted_model text) returns text language sql immutable parallel safe as $$
  select case
    when hosted_model ~ '^(arn:aws-us-gov:|us-gov[.])' then 'us-gov'
    when hosted_model ~ '(^|/)global[.]' then 'global'
    else 'geo'
  end
$$;
