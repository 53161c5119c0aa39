/** Every migration in order. Append only: a name that was released is never changed or removed. */
import type { Migration } from 'kysely/migration'
import * as firstSchema from './0001-first-schema.ts'
import * as capabilityProbes from './0002-capability-probes.ts'
import * as signIn from './0003-sign-in.ts'
import * as notifications from './0004-notifications.ts'
import * as budgetSpend from './0005-budget-spend.ts'
import * as scim from './0006-scim.ts'
import * as spendHours from './0007-spend-hours.ts'
import * as usGovPrices from './0008-us-gov-prices.ts'
import * as instanceReports from './0009-instance-reports.ts'
import * as usageRollups from './0010-usage-rollups.ts'
import * as usageSummaries from './0011-usage-summaries.ts'
import * as spendHoursByTime from './0012-spend-hours-by-time.ts'
import * as usageIncrements from './0013-usage-increments.ts'
import * as usageBlocks from './0014-usage-blocks.ts'
import * as latencyDays from './0015-latency-days.ts'
import * as signIns from './0016-sign-ins.ts'
import * as uncountedRecords from './0017-uncounted-records.ts'
import * as listsByName from './0018-lists-by-name.ts'
import * as toolPeople from './0019-tool-people.ts'
import * as lateAndRefused from './0020-late-and-refused.ts'
import * as laterRounds from './0021-later-rounds.ts'
import * as contextMarks from './0022-context-marks.ts'
import * as keyAddresses from './0023-key-addresses.ts'
import * as csvFormulas from './0024-csv-formulas.ts'
import * as shownAddresses from './0025-shown-addresses.ts'
import * as budgetRequests from './0026-budget-requests.ts'
import * as grants from './0027-grants.ts'
import * as savedViews from './0028-saved-views.ts'
import * as notices from './0029-notices.ts'
import * as rowRevisions from './0030-row-revisions.ts'
import * as chargedDays from './0031-charged-days.ts'
import * as failureReasons from './0034-failure-reasons.ts'
import * as idpLogout from './0035-idp-logout.ts'
import * as scimActive from './0037-scim-active.ts'

/**
 * A name that ends in `+compatible` promises that the release before can run on the changed schema (new tables, new
 * columns with defaults), so that a roll-back needs no restore. Any other migration locks older releases out.
 */
export const allMigrations: Readonly<Record<string, Migration>> = {
  '0001-first-schema': firstSchema,
  '0002-capability-probes+compatible': capabilityProbes,
  '0003-sign-in+compatible': signIn,
  '0004-notifications+compatible': notifications,
  '0005-budget-spend+compatible': budgetSpend,
  '0006-scim+compatible': scim,
  '0007-spend-hours+compatible': spendHours,
  '0008-us-gov-prices+compatible': usGovPrices,
  '0009-instance-reports+compatible': instanceReports,
  '0010-usage-rollups+compatible': usageRollups,
  '0011-usage-summaries+compatible': usageSummaries,
  '0012-spend-hours-by-time+compatible': spendHoursByTime,
  '0013-usage-increments+compatible': usageIncrements,
  '0014-usage-blocks+compatible': usageBlocks,
  '0015-latency-days+compatible': latencyDays,
  '0016-sign-ins+compatible': signIns,
  '0017-uncounted-records+compatible': uncountedRecords,
  '0018-lists-by-name+compatible': listsByName,
  '0019-tool-people+compatible': toolPeople,
  '0020-late-and-refused+compatible': lateAndRefused,
  '0021-later-rounds+compatible': laterRounds,
  '0022-context-marks+compatible': contextMarks,
  '0023-key-addresses+compatible': keyAddresses,
  '0024-csv-formulas+compatible': csvFormulas,
  '0025-shown-addresses+compatible': shownAddresses,
  '0026-budget-requests+compatible': budgetRequests,
  '0027-grants+compatible': grants,
  '0028-saved-views+compatible': savedViews,
  '0029-notices+compatible': notices,
  '0030-row-revisions+compatible': rowRevisions,
  '0031-charged-days+compatible': chargedDays,
  '0034-failure-reasons+compatible': failureReasons,
  '0035-idp-logout+compatible': idpLogout,
  '0037-scim-active+compatible': scimActive,
}
