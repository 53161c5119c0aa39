/** Counts what happens on the message path, for operators. Only numbers are touched while a call waits. */

import type { ErrorCode } from '../foundation/domain/errors.ts'
import type { InstrumentName } from '../foundation/domain/instruments.ts'
import type { Snapshot } from '../foundation/domain/snapshot.ts'
import type { Instruments } from '../foundation/platform/metrics.ts'
import type { Meters } from '../message-path/ports.ts'
import { createEndpointMeters, type EndpointMeters } from '../modules/endpoints/endpoint-meters.ts'
import { createModelLabels, NO_MODEL } from '../modules/models/model-labels.ts'
import { createModelMeters } from '../modules/spend/model-meters.ts'
import { findToolLabel } from '../modules/spend/tool-labels.ts'

export interface PathMeters extends Meters, Pick<EndpointMeters, 'counting'> {}

export function createPathMeters(instruments: Instruments<InstrumentName>, snapshot: () => Snapshot): PathMeters {
  const findLabel = createModelLabels(snapshot)
  const models = createModelMeters(instruments)
  const endpoints = createEndpointMeters(instruments, () => snapshot().endpoints)
  const tools = new Map<string, number>()
  const refusals = new Map<ErrorCode, number>()
  const repairs = { beta: 0, field: 0 }
  let webSearches = 0
  instruments.observe('gateway_tool_calls', (show) => {
    for (const [tool, calls] of tools) show(calls, { tool })
  })
  instruments.observe('gateway_refusals', (show) => {
    for (const [code, count] of refusals) show(count, { code })
  })
  instruments.observe('gateway_repairs', (show) => {
    show(repairs.beta, { kind: 'beta' })
    show(repairs.field, { kind: 'field' })
  })
  instruments.observe('gateway_web_searches', (show) => show(webSearches))

  return {
    served: (record) => {
      models.add(findLabel(record), record)
      for (const attempt of record.attempts) endpoints.attempted(attempt)
      for (const tool of record.tools) {
        const label = findToolLabel(tool)
        tools.set(label, (tools.get(label) ?? 0) + 1)
      }
      repairs.beta += record.betasStripped.length
      repairs.field += record.repairs.length
      webSearches += record.webSearches
    },
    refused: (code) => void refusals.set(code, (refusals.get(code) ?? 0) + 1),
    unrecorded: (status) => models.addUnrecorded(NO_MODEL, status),
    counting: endpoints.counting,
  }
}
