-- Spreadsheets take a cell for a formula if it begins with one of these signs or with their full-width form, as input
-- methods of East Asia write it. An apostrophe makes it text.
create or replace function csv_cell(value text) returns text language sql immutable parallel safe as $$
  select case
    when value is null then ''
    when value ~ '^[=+@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20-]' then '"''' || replace(value, '"', '""') || '"'
    when value ~ '[",\r\n]' then '"' || replace(value, '"', '""') || '"'
    else value
  end
$$;
