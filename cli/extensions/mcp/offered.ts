/** The commands that an assistant may run: those that look and never change anything. */
import { me } from '../../app/me.ts'
import { isNoun, type Leaf, type Noun } from '../../command/command.ts'
import { analytics } from '../../modules/analytics/analytics.ts'
import { requests } from '../../modules/analytics/requests.ts'
import { sessions } from '../../modules/analytics/sessions.ts'
import { why } from '../../modules/analytics/why.ts'
import { budgets } from '../../modules/budgets/budgets.ts'
import { betas } from '../../modules/endpoints/betas.ts'
import { endpoints } from '../../modules/endpoints/endpoints.ts'
import { keys } from '../../modules/keys/keys.ts'
import { models } from '../../modules/models/models.ts'
import { prices } from '../../modules/models/prices.ts'
import { notifications } from '../../modules/notifications/notifications.ts'
import { audit } from '../../modules/operations/audit.ts'
import { logs } from '../../modules/operations/logs.ts'
import { status } from '../../modules/operations/status.ts'
import { teams } from '../../modules/people/teams.ts'
import { users } from '../../modules/people/users.ts'
import { settings } from '../../modules/settings/settings.ts'
import { whoami } from '../../modules/sign-in/whoami.ts'
import { security } from '../security-review/security.ts'

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
