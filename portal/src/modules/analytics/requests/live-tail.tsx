/** Calls as they end, newest first, from the gateway's stream of events. */
import { Pause, Play } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { formatCount, formatCounted } from '../../../ui/format.ts'
import { Card } from '../../../ui/layout.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { Badge } from '../../../ui/states.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { fits, type LoggedRequest, requestColumns } from './request-facts.tsx'

const KEPT = 100

type Line = 'connecting' | 'open' | 'ended'

interface Tail {
  readonly line: Line
  readonly rows: readonly LoggedRequest[]
  readonly seen: number
  readonly leftOut: number
}

const nothing: Tail = { line: 'connecting', rows: [], seen: 0, leftOut: 0 }

function useTail(isPaused: boolean): Tail {
  const [tail, setTail] = useState(nothing)
  const paused = useRef(isPaused)
  paused.current = isPaused
  useEffect(() => {
    const source = new EventSource('/admin/events?topics=requests')
    source.onopen = () => setTail((now) => ({ ...now, line: 'open' }))
    // The browser connects again by itself unless the gateway refused.
    source.onerror = () =>
      setTail((now) => ({ ...now, line: source.readyState === EventSource.CLOSED ? 'ended' : 'connecting' }))
    source.addEventListener('request', (event) => {
      const row = JSON.parse(event.data as string) as LoggedRequest
      setTail((now) => ({ ...now, seen: now.seen + 1, rows: paused.current ? now.rows : withRow(now.rows, row) }))
    })
    source.addEventListener('left_out', (event) => {
      const { events } = JSON.parse(event.data as string) as { events: number }
      setTail((now) => ({ ...now, leftOut: now.leftOut + events }))
    })
    return () => source.close()
  }, [])
  return tail
}

/** A request of several rounds comes once for each; its last one stands. */
function withRow(rows: readonly LoggedRequest[], row: LoggedRequest): readonly LoggedRequest[] {
  return [row, ...rows.filter(({ request_id: id }) => id !== row.request_id)].slice(0, KEPT)
}

const lines = {
  connecting: ['warn', 'Connecting'],
  open: ['ok', 'Watching'],
  ended: ['bad', 'Ended'],
} as const

export function LiveTail({ open }: { readonly open: (request: LoggedRequest) => void }) {
  const [state] = useUrlState()
  const [isPaused, setIsPaused] = useState(false)
  const tail = useTail(isPaused)
  const columns = useMemo(() => requestColumns(open), [open])
  const [tone, word] = lines[tail.line]
  return (
    <Card
      title="Live"
      lead={`${formatCounted(tail.seen, 'call')} since you began to watch${tail.leftOut === 0 ? '' : `; ${formatCount(tail.leftOut)} came too fast to show`}. Filters apply, the words of the search do not.`}
      actions={
        <>
          <Badge tone={isPaused ? 'neutral' : tone}>{isPaused ? 'Paused' : word}</Badge>
          <Button icon={isPaused ? Play : Pause} onClick={() => setIsPaused(!isPaused)}>
            {isPaused ? 'Go on' : 'Pause'}
          </Button>
        </>
      }
      isFlush
    >
      <PlainTable
        caption="Calls as they end"
        columns={columns}
        rows={tail.rows.filter((row) => fits(row, state))}
        rowId={({ request_id: id }) => id}
        empty={
          tail.line === 'ended'
            ? 'The gateway ended the stream. Turn Live off and on again.'
            : 'Waiting for the next call that fits.'
        }
      />
    </Card>
  )
}
