/** Endpoints against sixty minutes: one square for each minute, by what its calls came to. Shape and colour both tell. */
import { clsx } from 'clsx'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { ChartFrame } from '../../../charts/chart-frame.tsx'
import { Button } from '../../../ui/button.tsx'
import { formatClock, formatCounted, formatDurationMs, formatTime } from '../../../ui/format.ts'
import { Callout, QueryView } from '../../../ui/states.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { requestsHref } from '../../analytics/requests/exact-name.ts'
import { decideMinute, type MinuteState, minutesBetween, parseMoment } from './moment.ts'

type History = Answer<'/admin/health/history', 'get'>
type Endpoint = History['endpoints'][number]
type Minute = Endpoint['minutes'][number]

const REFRESH_MS = 30_000
const HALF_HOUR_MS = 1_800_000

export function HealthGrid() {
  const [state, setState] = useUrlState()
  const moment = parseMoment(state['at'])
  const query = moment === undefined ? {} : { at: moment.toISOString() }
  const history = useGet(
    '/admin/health/history',
    { params: { query } },
    { keepPrevious: true, refetchInterval: moment === undefined ? REFRESH_MS : false },
  )
  const shift = (byMs: number): void => {
    const next = (moment?.getTime() ?? Date.now()) + byMs
    setState({ at: next >= Date.now() ? undefined : String(Math.round(next / 1000)) }, { isStep: true })
  }
  return (
    <>
      {state['at'] !== undefined && (
        <Callout
          tone={moment === undefined ? 'warn' : 'info'}
          title={moment === undefined ? 'The link names no moment' : `Around ${formatTime(moment)}`}
          action={<Button onClick={() => setState({ at: undefined })}>Show now</Button>}
        >
          {moment === undefined
            ? 'What follows is the last hour.'
            : 'The first card shows the hour of the link; everything below it is as of now.'}
        </Callout>
      )}
      <QueryView query={history} rows={4}>
        {(hour) => (
          <ChartFrame
            title={moment === undefined ? 'The last hour' : 'The hour of the link'}
            lead={`${formatTime(hour.from)} to ${formatTime(hour.to)}, by what calls came to. A square opens its calls.`}
            table={{
              head: ['Endpoint and minute', 'Calls', 'Failed', 'Throttled', 'First token, p95'],
              isEmpty: hour.endpoints.every(({ minutes }) => minutes.length === 0),
              rows: () => listRows(hour),
            }}
            isShownEmpty={hour.endpoints.length > 0}
            actions={
              <>
                <Button onClick={() => shift(-HALF_HOUR_MS)}>Earlier</Button>
                <Button disabled={moment === undefined} onClick={() => shift(HALF_HOUR_MS)}>
                  Later
                </Button>
              </>
            }
          >
            <Grid hour={hour} moment={moment} />
          </ChartFrame>
        )}
      </QueryView>
    </>
  )
}

function listRows(hour: History): string[][] {
  return hour.endpoints.flatMap(({ name, minutes }) =>
    minutes.map((one) => [
      `${name}, ${formatClock(one.at)}`,
      String(one.requests),
      String(one.errors),
      String(one.throttled),
      one.first_token_p95_ms === null ? 'none' : formatDurationMs(one.first_token_p95_ms),
    ]),
  )
}

function Grid({ hour, moment }: { readonly hour: History; readonly moment: Date | undefined }) {
  const minutes = useMemo(() => minutesBetween(hour.from, hour.to), [hour.from, hour.to])
  const marked = moment === undefined ? undefined : `${moment.toISOString().slice(0, 16)}:00.000Z`
  const area = useRef<HTMLElement>(null)
  const markedAt = marked === undefined ? -1 : minutes.indexOf(marked)
  const inSight = markedAt === -1 ? 1 : markedAt / minutes.length
  // Where all sixty do not fit, the minute of the link is in sight, else the latest: that is what one comes for.
  useLayoutEffect(() => {
    if (area.current !== null) area.current.scrollLeft = inSight * (area.current.scrollWidth - area.current.clientWidth)
  }, [inSight])
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section ref={area} tabIndex={0} aria-label="Endpoints by minute" className="relative overflow-x-auto">
        <table className="w-full min-w-[860px] table-fixed border-separate border-spacing-[2px]">
          <caption className="sr-only">Endpoints by minute</caption>
          <thead>
            <tr>
              <td className={clsx(rowHead, 'w-28 sm:w-36')} />
              {minutes.map((minute, index) => (
                <th
                  key={minute}
                  scope="col"
                  className={clsx('text-left text-11 font-normal', minute === marked ? 'text-accent' : 'text-text-3')}
                >
                  <MinuteHead minute={minute} isMarked={minute === marked} hasRoom={index < minutes.length - 2} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hour.endpoints.map((endpoint) => (
              <EndpointRow key={endpoint.id} endpoint={endpoint} minutes={minutes} marked={marked} />
            ))}
          </tbody>
        </table>
      </section>
      <Legend />
    </>
  )
}

/** Stays where it is when the minutes are scrolled. */
const rowHead = 'sticky left-0 z-1 bg-surface'

/** Every tenth minute shows its name, unless the edge would cut it; the others are read out. */
function MinuteHead({
  minute,
  isMarked,
  hasRoom,
}: {
  readonly minute: string
  readonly isMarked: boolean
  readonly hasRoom: boolean
}) {
  const isNamed = isMarked || (hasRoom && Number(minute.slice(14, 16)) % 10 === 0)
  return isNamed ? (
    <span className="block w-0 whitespace-nowrap">{isMarked ? '▾' : formatClock(minute)}</span>
  ) : (
    <span className="sr-only">{formatClock(minute)}</span>
  )
}

function EndpointRow({
  endpoint,
  minutes,
  marked,
}: {
  readonly endpoint: Endpoint
  readonly minutes: readonly string[]
  readonly marked: string | undefined
}) {
  const served = new Map(endpoint.minutes.map((minute) => [minute.at, minute]))
  return (
    <tr>
      <th
        scope="row"
        title={endpoint.name}
        dir="auto"
        className={clsx(rowHead, 'truncate pr-2 text-left text-12 font-medium')}
      >
        {endpoint.name}
      </th>
      {minutes.map((at) => (
        <Square key={at} name={endpoint.name} at={at} minute={served.get(at)} isMarked={at === marked} />
      ))}
    </tr>
  )
}

const looks: Readonly<Record<MinuteState, { readonly text: string; readonly sign: string; readonly look: string }>> = {
  silent: { text: 'no calls', sign: '', look: 'bg-sunken' },
  ok: { text: 'all answered', sign: '', look: 'bg-ok' },
  some: { text: 'some failed', sign: '▲', look: 'bg-warn text-surface' },
  most: { text: 'half or more failed', sign: '✕', look: 'bg-bad text-surface' },
}

const square = 'flex h-5 items-center justify-center rounded-[3px] text-[8px] leading-none'

function Square({
  name,
  at,
  minute,
  isMarked,
}: {
  readonly name: string
  readonly at: string
  readonly minute: Minute | undefined
  readonly isMarked: boolean
}) {
  const { text, sign, look } = looks[decideMinute(minute)]
  const cell = clsx('p-0', isMarked && 'outline-1 outline-accent')
  if (minute === undefined)
    return (
      <td className={cell}>
        <span className={clsx(square, look)} title={`${formatClock(at)}: ${text}`}>
          <span className="sr-only">{text}</span>
        </span>
      </td>
    )
  const words = `${formatClock(at)}: ${formatCounted(minute.requests, 'call')}, ${minute.errors} failed, ${minute.throttled} throttled`
  const to = new Date(Date.parse(at) + 60_000).toISOString()
  return (
    <td className={cell}>
      {/* Not a stop of the keyboard: sixty for each endpoint would bar the way. The same numbers stand in the table. */}
      <a
        href={requestsHref({ endpoint: name, from: at, to })}
        tabIndex={-1}
        title={words}
        className={clsx(square, look)}
      >
        <span aria-hidden>{sign}</span>
        <span className="sr-only">{words}</span>
      </a>
    </td>
  )
}

function Legend() {
  return (
    <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-12 text-text-2">
      {Object.values(looks).map(({ text, sign, look }) => (
        <li key={text} className="flex items-center gap-1.5">
          <span aria-hidden className={clsx(square, look, 'w-4')}>
            {sign}
          </span>
          {text}
        </li>
      ))}
    </ul>
  )
}
