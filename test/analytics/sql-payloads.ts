/**
 * What an attacker would write into a filter, made of ways out of a literal, things to do there, and ways to hide what is
 * left of the statement. Whatever reached the server as SQL would sleep, count for long, divide by nothing or find rows.
 */

/** Longer than a statement may take: the answer to one that sleeps is an error. */
const SLEEP = 'pg_sleep(600)'

const waysOut = [
  '',
  `'`,
  `"`,
  `')`,
  `'))`,
  `"}'`,
  `\\'`,
  `%'`,
  `$$`,
  `'::text`,
  `x'::uuid[])`,
  `\u02bc`,
  `00000000-0000-0000-0000-000000000000'`,
]

const deeds = [
  `; select ${SLEEP}`,
  ` or ${SLEEP} is not null`,
  ` and (select 1 from ${SLEEP}) = 1`,
  ` union all select ${SLEEP}::text`,
  `||(select ${SLEEP})||`,
  `}'; select ${SLEEP}; select '{`,
  ` or exists(select from generate_series(1, 2000000000) having count(*) > 1)`,
  ` or 1=1`,
  ` or 1/(select 0)=1`,
  ` and cast(version() as integer)=1`,
  `; drop table spend_log cascade`,
  `; do $x$ begin perform ${SLEEP}; end $x$`,
]

const endings = [` --`, ` /*`]

export const sqlPayloads: readonly string[] = waysOut.flatMap((out) =>
  deeds.flatMap((deed) => endings.map((ending) => `${out}${deed}${ending}`)),
)
