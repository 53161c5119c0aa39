/** Counts what happens on the message path, for operators. Only numbers are touched while a call waits. */
import type { Meters } from '../../data-plane/ports.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { InstrumentName } from '../../domain/instruments.ts'
import type { Snapshot } from '../../domain/snapshot.ts'
import type { Instruments } from '../../platform/metrics.ts'
import { createEndpointMeters, type EndpointMeters } from './endpoint-meters.ts'
import { createModelLabels, NO_MODEL } from './model-labels.ts'
import { createModelMeters } from './model-meters.ts'
import { toolLabelOf } from './tool-labels.ts'

export interface PathMeters extends Meters, Pick<EndpointMeters, 'counting'> {}

export function createPathMeters(instruments: Instruments<InstrumentName>, snapshot: () => Snapshot): PathMeters {
  const labelOf = createModelLabels(snapshot)
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
      models.add(labelOf(record), record)
      for (const attempt of record.attempts) endpoints.attempted(attempt)
      for (const tool of record.tools) {
        const label = toolLabelOf(tool)
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
