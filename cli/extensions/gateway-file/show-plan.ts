/** A plan in words. */
import { shownAddress } from '../../../src/foundation/domain/shown-address.ts'
import { shownSettings } from '../../../src/foundation/domain/shown-settings.ts'
import { teamLine } from '../../modules/endpoints/endpoint-teams.ts'
import type { Paint } from '../../output/paint.ts'
import type { Row } from '../../output/render.ts'
import type { FieldChange, Step } from './plan.ts'
import { shownName } from './resources.ts'

export function stepLine(step: Step, paint: Paint): string {
  const what = `${step.kind} ${shownName(step.name)}`
  if (step.action === 'delete') return paint.red(`- ${what}`)
  const fields = step.changes
    .map(shownChange)
    .map(({ field, from, to }) =>
      step.action === 'create'
        ? `${field} ${JSON.stringify(to)}`
        : `${field} ${JSON.stringify(from)} → ${JSON.stringify(to)}`,
    )
  const line = `${step.action === 'create' ? '+' : '~'} ${what}${fields.length === 0 ? '' : `: ${fields.join(', ')}`}`
  return step.action === 'create' ? paint.green(line) : paint.yellow(line)
}

export function teamLines({ affectedTeams = [] }: Step): readonly string[] {
  return affectedTeams.map(teamLine)
}

/** The same lines for the question, where the steps are not beside them. */
export function affectedTeamLines(steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step) => {
    const lines = teamLines(step)
    const verb = step.action === 'delete' ? 'Deleting' : 'Disabling'
    return lines.length === 0 ? [] : [`${verb} the endpoint "${step.name}" affects these teams:`, ...lines]
  })
}

/** A plan is printed where others look too, such as in the log of a pipeline. */
function shownChange({ field, from, to }: FieldChange): FieldChange {
  return { field, from: shownValue(field, from), to: shownValue(field, to) }
}

function shownValue(field: string, value: unknown): unknown {
  if (field === 'destination' && typeof value === 'string') return shownAddress(value)
  return field === 'settings' && typeof value === 'object' && value !== null ? shownSettings(value as Row) : value
}

export function planDocument(steps: readonly Step[]): Row {
  return {
    changes: steps.map(({ action, kind, name, changes, affectedTeams = [] }) => ({
      action,
      kind,
      name: shownName(name),
      fields: changes.map(shownChange),
      ...(affectedTeams.length === 0 ? {} : { affected_teams: affectedTeams }),
    })),
  }
}
