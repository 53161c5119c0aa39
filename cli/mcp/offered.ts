/** The commands that an assistant may run: those that look and never change anything. */
import { isNoun, type Leaf, type Noun } from '../command.ts'
import { analytics } from '../commands/analytics.ts'
import { audit } from '../commands/audit.ts'
import { betas } from '../commands/betas.ts'
import { budgets } from '../commands/budgets.ts'
import { endpoints } from '../commands/endpoints.ts'
import { keys } from '../commands/keys.ts'
import { logs } from '../commands/logs.ts'
import { me } from '../commands/me.ts'
import { models } from '../commands/models.ts'
import { notifications } from '../commands/notifications.ts'
import { prices } from '../commands/prices.ts'
import { requests } from '../commands/requests.ts'
import { security } from '../commands/security.ts'
import { sessions } from '../commands/sessions.ts'
import { settings } from '../commands/settings.ts'
import { status } from '../commands/status.ts'
import { teams } from '../commands/teams.ts'
import { users } from '../commands/users.ts'
import { whoami } from '../commands/whoami.ts'
import { why } from '../commands/why.ts'

export interface Offered {
  /** As it is typed behind `causeway`. */
  readonly path: string
  readonly leaf: Leaf
}

/** `itself` is what a noun does without a verb. */
function of(noun: Noun, verbs: readonly string[]): readonly Offered[] {
  return verbs.map((verb) => {
    const leaf = verb === 'itself' ? noun.itself : noun.leaves.find(({ name }) => name === verb)
    if (leaf === undefined || isNoun(leaf)) throw new Error(`${noun.name} has no command ${verb}`)
    return { path: verb === 'itself' ? noun.name : `${noun.name} ${verb}`, leaf }
  })
}

function alone(leaf: Leaf): Offered {
  return { path: leaf.name, leaf }
}

/** Whoever has a sign-in may ask these. */
export const forEverybody: readonly Offered[] = [
  alone(whoami),
  alone(why),
  ...of(me, ['itself', 'budget', 'usage', 'requests', 'request']),
  ...of(models, ['list']),
]

/** The gateway decides for each of them whether the asker may see it. */
export const forAdministrators: readonly Offered[] = [
  alone(status),
  alone(security),
  alone(logs),
  ...of(analytics, [
    'overview',
    'spend',
    'activity',
    'models',
    'tools',
    'explore',
    'what-if',
    'unit-price',
    'adoption',
  ]),
  ...of(requests, ['list', 'show']),
  ...of(sessions, ['list']),
  ...of(users, ['list', 'show']),
  ...of(teams, ['list', 'show', 'members']),
  ...of(keys, ['list', 'show']),
  ...of(budgets, ['list', 'show', 'requests', 'top-ups']),
  ...of(endpoints, ['list', 'show', 'models', 'quotas', 'history']),
  ...of(models, ['mappings']),
  ...of(betas, ['list']),
  ...of(prices, ['list']),
  ...of(settings, ['list']),
  ...of(notifications, ['digest']),
  ...of(audit, ['list']),
]
