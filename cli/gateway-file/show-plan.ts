/** A plan in words. */
import type { Paint } from '../output/paint.ts'
import type { Row } from '../output/render.ts'
import type { Step } from './plan.ts'
import { shownName } from './resources.ts'

export function stepLine(step: Step, paint: Paint): string {
  const what = `${step.kind} ${shownName(step.name)}`
  if (step.action === 'delete') return paint.red(`- ${what}`)
  const fields = step.changes.map(({ field, from, to }) =>
    step.action === 'create'
      ? `${field} ${JSON.stringify(to)}`
      : `${field} ${JSON.stringify(from)} → ${JSON.stringify(to)}`,
  )
  const line = `${step.action === 'create' ? '+' : '~'} ${what}${fields.length === 0 ? '' : `: ${fields.join(', ')}`}`
  return step.action === 'create' ? paint.green(line) : paint.yellow(line)
}

export function planDocument(steps: readonly Step[]): Row {
  return {
    changes: steps.map(({ action, kind, name, changes }) => ({ action, kind, name: shownName(name), fields: changes })),
  }
}
