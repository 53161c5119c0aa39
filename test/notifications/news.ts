/** Makes news as the budgets of one instance do, and speaks to the administrator's routes. */
import assert from 'node:assert/strict'
import type { Database } from '../../src/foundation/database/database.ts'
import type { BudgetEvent } from '../../src/foundation/domain/budget-event.ts'
import { systemClock } from '../../src/foundation/platform/clock.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createNotifier, type Notifier } from '../../src/modules/notifications/notifier.service.ts'
import { enqueueEvent } from '../../src/modules/notifications/outbox.store.ts'
import { login } from '../support/gateway.ts'

export function createNews(database: Database): Notifier {
  return createNotifier({
    clock: systemClock,
    enqueue: (event, dedupe) => enqueueEvent(database.kysely, event, dedupe),
    findSubject: () => ({ userIdentity: 'ada@example.com', teamId: null, teamName: null }),
    onLost: (event) => assert.fail(`${event.id} was lost`),
  })
}

export function crossingOf(values: Partial<BudgetEvent>): BudgetEvent {
  return {
    type: 'warning',
    scope: 'user',
    subjectId: newId(),
    threshold: 80,
    spendNanoUsd: 8_000_000_000,
    limitNanoUsd: 10_000_000_000,
    period: 'daily',
    periodStartMs: Date.UTC(2026, 10, 15),
    ...values,
  }
}

interface Overview {
  readonly active: object | null
  readonly history: readonly {
    readonly event_id: string
    readonly destination: string
    readonly status: string
    readonly attempt: number
  }[]
}

export interface GatewayAdmin {
  readonly call: (method: string, path: string, body?: object) => Promise<unknown>
  readonly read: () => Promise<Overview>
  /** Saves, tests and activates. */
  readonly activate: (draft: object) => Promise<void>
}

export async function signIn(url: string): Promise<GatewayAdmin> {
  const token = await login(url)
  const call: GatewayAdmin['call'] = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  return {
    call,
    read: async () => (await call('GET', '/admin/notifications/config')) as Overview,
    activate: async (draft) => {
      await call('PUT', '/admin/notifications/config', draft)
      await call('POST', '/admin/notifications/test')
      await call('POST', '/admin/notifications/activate')
    },
  }
}

export async function until(what: string, isTrue: () => Promise<boolean>, timeoutMs = 120_000): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs
  while (!(await isTrue())) {
    if (performance.now() > deadlineMs) throw new Error(`${what} did not happen within ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
