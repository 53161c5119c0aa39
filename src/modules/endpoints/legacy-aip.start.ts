/**
 * Gives endpoints of older releases, which sent everything through one profile, an override for that profile's own
 * model (spec: Routing rules 8). What cannot be resolved now keeps its legacy path and is tried at the next start.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { InferenceProfile } from '../../bedrock/profiles.ts'
import { change } from '../../foundation/database/change.ts'
import type { Database } from '../../foundation/database/database.ts'
import { startupActor } from '../../foundation/database/startup-actor.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { createAipOverrideStore } from './aip-overrides.store.ts'
import { createEndpointStore } from './endpoints.store.ts'

export interface LegacyParts {
  readonly database: Database
  readonly log: Logger
  readonly getProfile: (endpoint: Endpoint, arn: string) => Promise<InferenceProfile>
}

export interface LegacyStartParts extends Omit<LegacyParts, 'database'> {
  readonly database: () => Database | undefined
  readonly isLoaded: () => boolean
  readonly changed: () => Promise<void>
}

const LEGACY_WAIT_MS = 3_000

/** Never holds up the start for longer than it takes to give up on a silent account. */
export async function bringLegacyProfiles({
  database: find,
  isLoaded,
  changed,
  ...parts
}: LegacyStartParts): Promise<void> {
  const database = find()
  if (database === undefined) return
  const moving = migrateLegacyAips({ ...parts, database }).then(
    (moved) => (moved > 0 && isLoaded() ? changed() : undefined),
    (error: unknown) => parts.log.warn({ err: error }, 'legacy inference profiles were not looked at'),
  )
  await Promise.race([moving, sleep(LEGACY_WAIT_MS, undefined, { ref: false })])
}

/** How many endpoints got their override. */
async function migrateLegacyAips(parts: LegacyParts): Promise<number> {
  const endpoints = await createEndpointStore(parts.database.kysely).list()
  const legacy = endpoints.filter((endpoint) => endpoint.inferenceProfileArn !== null && !hasOverrides(endpoint))
  const moved = await Promise.all(legacy.map((endpoint) => migrateOne(endpoint, parts)))
  return moved.filter(Boolean).length
}

function hasOverrides(endpoint: Endpoint): boolean {
  return endpoint.aipOverrides.length > 0
}

async function migrateOne(endpoint: Endpoint, parts: LegacyParts): Promise<boolean> {
  const aipArn = endpoint.inferenceProfileArn ?? ''
  const log = parts.log.child({ endpoint: endpoint.id, name: endpoint.name })
  try {
    const modelId = (await parts.getProfile(endpoint, aipArn)).modelIds[0]
    if (modelId === undefined) throw new Error('the profile names no model')
    const isMoved = await writeOverride(endpoint, modelId, aipArn, parts.database)
    if (isMoved) log.info({ model: modelId }, 'the legacy inference profile became an override of its own model')
    return isMoved
  } catch (error) {
    // failure-modes: legacy profile not migrated
    log.warn(
      { err: error },
      'the legacy inference profile could not be resolved; it serves every model until a restart',
    )
    return false
  }
}

async function writeOverride(
  endpoint: Endpoint,
  modelId: string,
  aipArn: string,
  database: Database,
): Promise<boolean> {
  return await change(database, { sections: ['endpoints'], actor: startupActor }, async ({ tx, audit }) => {
    const current = await createEndpointStore(tx).find(endpoint.id)
    // Another instance, or an administrator, was quicker.
    if (current === undefined || current.inferenceProfileArn !== aipArn || hasOverrides(current)) return false
    const setBy = 'auto-migration'
    await createAipOverrideStore(tx).put({ endpointId: endpoint.id, modelId, aipArn, reason: null, setBy })
    audit({
      action: 'aip_override.create',
      target: `endpoint:${endpoint.id}`,
      after: { model_id: modelId, aip_arn: aipArn, set_by: setBy },
    })
    return true
  })
}
