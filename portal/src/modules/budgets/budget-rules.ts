/** Rules of a budget as people write them, one for each line: `80 notify`, `100 shape 5`, `150 block`. */
import type { BudgetMark } from '../../charts/budget-ruler.tsx'

export interface Rule {
  readonly at_percent: number
  readonly action: 'notify' | 'shape' | 'block'
  readonly rpm?: number | undefined
}

export const presets = {
  standard: [
    { at_percent: 80, action: 'notify' },
    { at_percent: 100, action: 'block' },
  ],
  soft: [
    { at_percent: 80, action: 'notify' },
    { at_percent: 100, action: 'notify' },
    { at_percent: 150, action: 'block' },
  ],
  shaped: [
    { at_percent: 80, action: 'notify' },
    { at_percent: 100, action: 'shape', rpm: 5 },
    { at_percent: 150, action: 'block' },
  ],
} as const satisfies Readonly<Record<string, readonly Rule[]>>

export type Preset = keyof typeof presets

export function isPreset(policy: unknown): policy is Preset {
  return typeof policy === 'string' && policy in presets
}

const LINE = /^(\d+(?:\.\d+)?)\s*%?\s+(notify|shape|block)(?:\s+(\d+))?$/

/** The rules, or what is wrong with the first line that is not one. */
export function parseRules(text: string): { readonly rules: readonly Rule[]; readonly problem: string | undefined } {
  const lines = text.split('\n').map((line) => line.trim().toLowerCase())
  const rules: Rule[] = []
  for (const line of lines.filter((each) => each !== '')) {
    const [, percent, action, rpm] = LINE.exec(line) ?? []
    if (percent === undefined) return { rules, problem: `“${line}” is not a rule. Write it as 80 notify.` }
    rules.push({
      at_percent: Number(percent),
      action: action as Rule['action'],
      ...(rpm === undefined ? {} : { rpm: Number(rpm) }),
    })
  }
  return { rules, problem: findProblem(rules) }
}

function findProblem(rules: readonly Rule[]): string | undefined {
  if (rules.length === 0) return 'Write at least one rule.'
  if (rules.length > 5) return 'Five rules are the most.'
  for (const [index, { at_percent: at, action, rpm }] of rules.entries()) {
    const before = rules[index - 1]
    if (before !== undefined && at <= before.at_percent)
      return 'Each rule must be at a higher percentage than the last.'
    if (action === 'block' && index < rules.length - 1) return 'Nothing can come after block.'
    if (action === 'shape' && rpm === undefined) return 'shape needs the calls a minute: 100 shape 5.'
    if (action !== 'shape' && rpm !== undefined) return 'Only shape takes calls a minute.'
  }
  return undefined
}

export function writeRules(rules: readonly Rule[]): string {
  return rules
    .map(({ at_percent: at, action, rpm }) => `${at} ${action}${rpm === undefined ? '' : ` ${rpm}`}`)
    .join('\n')
}

export function toMarks(rules: readonly Rule[]): readonly BudgetMark[] {
  return rules.map(({ at_percent: atPercent, action, rpm }) => ({ atPercent, action, rpm }))
}
