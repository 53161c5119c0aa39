/** The notification destination: saved as a draft, tested, then activated; and what was delivered to it. */

import { problem } from '../../foundation/domain/errors.ts'
import { syntheticEvent } from '../../foundation/domain/notification.ts'
import { defaultCategories, findSecretHome, secretContext } from '../../foundation/domain/notification-destination.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { nothing } from '../../foundation/http/fields.ts'
import { apiRoute, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { isAdministrator, readActor, write } from '../../foundation/http/write-change.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { newId } from '../../foundation/platform/ids.ts'
import { createDeliveryStore } from './deliveries.store.ts'
import { type ConfigSlot, createNotificationConfigStore } from './notification-configs.store.ts'
import {
  categoriesBody,
  configSchema,
  draftBody,
  keptSecret,
  mergeFlags,
  overviewSchema,
  requireDestination,
  requireTested,
  testSchema,
  toBody,
  toDeliveryBody,
  toShownBody,
  toShownDestination,
} from './notification-fields.ts'
import type { NotificationPorts } from './notification-ports.ts'
import { createOutboxStore } from './outbox.store.ts'

const tag = 'Notifications'
const path = '/admin/notifications/config'

export function notificationRoutes(ports: NotificationPorts): Route[] {
  return [
    readConfig(ports),
    saveDraft(ports),
    removeConfig(ports, 'active'),
    removeConfig(ports, 'draft'),
    testDraft(ports),
    activate(ports),
    setCategories(ports),
  ]
}

function readConfig(ports: NotificationPorts): Route {
  return apiRoute({
    method: 'GET',
    path,
    access: 'admin',
    grants: ['ops:operate'],
    tag,
    summary: 'Read the notification destination',
    description:
      'The active and the draft destination, the fallback from BUDGET_NOTIFICATION_URL, and the newest 1,000 attempts. The path of a webhook may be a secret: of the fallback and of the attempts only the origin is told, and to whoever is no administrator of all of them.',
    answers: { 200: { text: 'Destinations and history', schema: overviewSchema }, ...forAdmins },
    handle: async (call) => {
      const { kysely } = ports.database()
      const { active, draft } = await createNotificationConfigStore(kysely).findBoth()
      const history = await createDeliveryStore(kysely).list()
      const { fallback } = ports.notifications
      const writeBody = isAdministrator(call) ? toBody : toShownBody
      return ok({
        active: active === null ? null : writeBody(active),
        draft: draft === null ? null : writeBody(draft),
        env_fallback: fallback === null ? null : toShownDestination(fallback),
        history: history.map(toDeliveryBody),
      })
    },
  })
}

function saveDraft(ports: NotificationPorts): Route {
  return apiRoute({
    method: 'PUT',
    path,
    access: 'admin',
    tag,
    summary: 'Save the draft destination',
    description:
      'Active delivery goes on as before. Omitted `categories` and an omitted `secret` stay as in the draft, or else as in the active destination; a secret goes to another host only when it is sent again, and null removes it.',
    body: draftBody,
    answers: { 200: { text: 'The draft', schema: configSchema }, ...badInput, ...forAdmins },
    handle: async (call) => {
      const { body } = call
      const destination = requireDestination(ports, body)
      const home = findSecretHome(destination)
      const sealed =
        typeof body.secret === 'string' && home !== undefined
          ? ports.encryptSecret(body.secret, secretContext(home))
          : null
      const draft = await write(ports, call, [], async ({ tx, audit }) => {
        const configs = createNotificationConfigStore(tx)
        await configs.lock()
        const before = await configs.findBoth()
        const stored = before.draft ?? before.active
        const after = await configs.putDraft({
          ...destination,
          secret: body.secret === undefined ? keptSecret(destination, stored) : sealed,
          categories: mergeFlags(stored?.categories ?? defaultCategories, body.categories ?? {}),
          updatedBy: readActor(call).name,
        })
        audit({
          action: 'notification.draft',
          target: 'notification:draft',
          ...defined({ before: before.draft === null ? undefined : toShownBody(before.draft) }),
          after: toShownBody(after),
        })
        return after
      })
      return ok(toBody(draft))
    },
  })
}

function removeConfig(ports: NotificationPorts, slot: ConfigSlot): Route {
  const isActive = slot === 'active'
  return apiRoute({
    method: 'DELETE',
    path: isActive ? path : '/admin/notifications/draft',
    access: 'admin',
    tag,
    summary: isActive ? 'Deactivate the destination' : 'Discard the draft',
    ...(isActive ? { description: 'Events then go to BUDGET_NOTIFICATION_URL if it is set, else to nobody.' } : {}),
    answers: { 204: { text: 'Done, also when there was none' }, ...forAdmins },
    handle: async (call) => {
      await write(ports, call, [], async ({ tx, audit }) => {
        const configs = createNotificationConfigStore(tx)
        await configs.lock()
        const before = await configs.find(slot)
        if (before === undefined) return
        await configs.remove(slot)
        const action = isActive ? 'notification.deactivate' : 'notification.discard'
        audit({ action, target: `notification:${slot}`, before: toShownBody(before) })
      })
      return noContent
    },
  })
}

function testDraft(ports: NotificationPorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/admin/notifications/test',
    access: 'admin',
    grants: ['ops:operate'],
    tag,
    summary: 'Deliver a synthetic event to the draft',
    description: 'One attempt of at most 10 seconds. A failure is an answer too: see `success`.',
    body: nothing,
    answers: {
      200: { text: 'What came of it', schema: testSchema },
      ...badInput,
      409: { text: 'There is no draft' },
      ...forAdmins,
    },
    handle: async (call) => {
      const draft = await createNotificationConfigStore(ports.database().kysely).find('draft')
      if (draft === undefined) throw problem('conflict', { reason: 'There is no draft to test.' })
      const event = syntheticEvent(newId(), ports.clock.nowMs())
      const startedMs = ports.clock.monotonicMs()
      const result = await ports.notifications.send(draft, event)
      const durationMs = Math.round(ports.clock.monotonicMs() - startedMs)
      const outcome = {
        success: result.kind === 'delivered',
        response_status: result.responseStatus,
        error: result.kind === 'failed' ? result.error : null,
        duration_ms: durationMs,
      }
      await write(ports, call, [], async ({ tx, audit }) => {
        const configs = createNotificationConfigStore(tx)
        await configs.lock()
        if (outcome.success) await configs.markTested(draft.fingerprint)
        await createDeliveryStore(tx).append({
          eventId: event.id,
          eventType: event.type,
          destinationType: draft.type,
          destination: draft.address,
          status: result.kind,
          attempt: 1,
          responseStatus: outcome.response_status,
          error: outcome.error,
          durationMs,
        })
        audit({ action: 'notification.test', target: 'notification:draft', after: outcome })
      })
      return ok(outcome)
    },
  })
}

function activate(ports: NotificationPorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/admin/notifications/activate',
    access: 'admin',
    tag,
    summary: 'Make the draft the active destination',
    description: 'Only after a successful test of this very draft. What waits for delivery goes to it at once.',
    body: nothing,
    answers: {
      200: { text: 'The active destination', schema: configSchema },
      ...badInput,
      409: { text: 'There is no draft, or it was not tested with success' },
      ...forAdmins,
    },
    handle: async (call) => {
      const active = await write(ports, call, [], async ({ tx, audit }) => {
        const configs = createNotificationConfigStore(tx)
        await configs.lock()
        const before = await configs.findBoth()
        requireTested(before.draft)
        const after = await configs.activateDraft(readActor(call).name)
        await createOutboxStore(tx).retryAll()
        audit({
          action: 'notification.activate',
          target: 'notification:active',
          ...defined({ before: before.active === null ? undefined : toShownBody(before.active) }),
          after: toShownBody(after),
        })
        return after
      })
      return ok(toBody(active))
    },
  })
}

function setCategories(ports: NotificationPorts): Route {
  return apiRoute({
    method: 'PUT',
    path: '/admin/notifications/categories',
    access: 'admin',
    tag,
    summary: 'Choose which events are delivered',
    description: 'On the active destination. An omitted category stays as it is.',
    body: categoriesBody,
    answers: {
      200: { text: 'The active destination', schema: configSchema },
      ...badInput,
      409: { text: 'No destination is active' },
      ...forAdmins,
    },
    handle: async (call) => {
      const active = await write(ports, call, [], async ({ tx, audit }) => {
        const configs = createNotificationConfigStore(tx)
        await configs.lock()
        const before = await configs.find('active')
        if (before === undefined) throw problem('conflict', { reason: 'No notification destination is active.' })
        const categories = mergeFlags(before.categories, call.body.categories)
        const after = await configs.setCategories(categories, readActor(call).name)
        audit({
          action: 'notification.categories',
          target: 'notification:active',
          before: toShownBody(before),
          after: toShownBody(after),
        })
        return after
      })
      return ok(toBody(active))
    },
  })
}
