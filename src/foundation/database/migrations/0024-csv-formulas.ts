/**
 * Spreadsheets also take a cell for a formula that begins with a line feed, or with the full-width form of one of the
 * signs, as input methods of East Asia write it. Made text by an apostrophe like the others.
 */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql.raw(csvCell).execute(tx)
}

const csvCell = `
create or replace function csv_cell(value text) returns text language sql immutable parallel safe as $$
  select case
    when value is null then ''
    when value ~ '^[=+@\\t\\r\\n\\uFF1D\\uFF0B\\uFF0D\\uFF20-]' then '"''' || replace(value, '"', '""') || '"'
    when value ~ '[",\\r\\n]' then '"' || replace(value, '"', '""') || '"'
    else value
  end
$$`
