/** Puts together what the routes of the control plane need. */

import type { DatabaseLink } from '../foundation/database/database-link.ts'
import { problem } from '../foundation/domain/errors.ts'
import { destinationOf } from '../foundation/domain/notification-destination.ts'
import type { Settings } from '../foundation/domain/settings.ts'
import type { Snapshot } from '../foundation/domain/snapshot.ts'
import type { RunSearch } from '../foundation/domain/web-search.ts'
import { systemClock } from '../foundation/platform/clock.ts'
import { decideUrl, type EgressAllow } from '../foundation/platform/egress-guard.ts'
import type { OutgoingHttp } from '../foundation/platform/outgoing-http.ts'
import { createSecretBox, type SecretBox } from '../foundation/platform/secret-box.ts'
import type { BudgetPorts, SpendAnswers } from '../modules/budgets/budget-ports.ts'
import type { KeyPorts } from '../modules/keys/key-ports.ts'
import type { NotificationPorts } from '../modules/notifications/notification-ports.ts'
import { createSender, type Sender } from '../modules/notifications/send-event.ts'
import type { EventPorts, LivePorts } from '../modules/operations/live-ports.ts'
import type { SettingPorts } from '../modules/settings/setting-ports.ts'
import { settingAt } from '../modules/settings/settings.store.ts'
import { findKnownUrl } from '../modules/sign-in/base-url.ts'
import type { IdpPorts } from '../modules/sign-in/idps/idp-ports.ts'
import type { WebSearchPorts } from '../modules/web-search/web-search-ports.ts'
import type { Config } from './config/config.ts'

export type ControlPorts = KeyPorts &
  BudgetPorts &
  IdpPorts &
  WebSearchPorts &
  SettingPorts &
  NotificationPorts &
  EventPorts

export interface ControlParts {
  readonly config: Config
  /** What a setting is until somebody stores it; a variable decides some. */
  readonly settingDefaults: Settings
  readonly link: DatabaseLink
  readonly snapshot: () => Snapshot
  readonly changed: () => Promise<void>
  readonly outgoing: OutgoingHttp
  readonly egressAllow: EgressAllow
  readonly ownSearchAllow: EgressAllow
  readonly search: RunSearch
  readonly spendAnswers: SpendAnswers
  readonly live: LivePorts
}

export interface Control {
  readonly ports: ControlPorts
  readonly sender: Sender
  /** Opens and closes stored secrets; throws until the key is known. */
  readonly secretBox: () => SecretBox
  /** The key of the database; SECRET_KEY goes before it. */
  readonly useSharedSecretKey: (bytes: Buffer) => void
}

export function createControl(parts: ControlParts): Control {
  const { config } = parts
  let box = config.secretKey === null ? undefined : createSecretBox(Buffer.from(config.secretKey.reveal()))
  const secretBox = (): SecretBox => {
    if (box === undefined) throw problem(parts.link.isConfigured ? 'database_unavailable' : 'database_required')
    return box
  }
  const sender = createSender({
    http: parts.outgoing,
    openSecret: (sealed, context) => secretBox().open(sealed, context),
  })
  const { budgetNotificationUrl } = config
  return {
    secretBox,
    sender,
    useSharedSecretKey: (bytes) => {
      box ??= createSecretBox(bytes)
    },
    ports: {
      database: parts.link.require,
      changed: parts.changed,
      snapshot: parts.snapshot,
      clock: systemClock,
      settingDefaults: parts.settingDefaults,
      modeSetting: settingAt('websearch_mode', parts.settingDefaults),
      ...parts.spendAnswers,
      encryptSecret: (plain, context) => secretBox().seal(plain, context),
      decryptSecret: (sealed, context) => secretBox().open(sealed, context),
      search: parts.search,
      checkUrl: (url) => reasonAgainst(url, parts.egressAllow),
      checkOwnUrl: (url) => {
        const reason = reasonAgainst(url, parts.ownSearchAllow)
        if (reason === undefined || reasonAgainst(url, parts.egressAllow) !== undefined) return reason
        return `${reason}; EGRESS_ALLOW, which names it, is for what administrators set, SEARCH_EGRESS_ALLOW for this`
      },
      fetchJson: parts.outgoing.fetchJson,
      live: parts.live,
      findKnownUrl: () => findKnownUrl({ publicUrl: config.publicUrl, idps: () => parts.snapshot().idps }),
      notifications: {
        fallback: budgetNotificationUrl === null ? null : destinationOf(budgetNotificationUrl),
        send: sender.send,
      },
    },
  }
}

function reasonAgainst(url: string, allow: EgressAllow): string | undefined {
  const decision = decideUrl(url, allow)
  return decision.kind === 'refused' ? decision.reason : undefined
}
