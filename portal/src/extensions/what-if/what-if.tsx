/** What the range would have cost with another model: two models, a share, one sentence, and the numbers behind it. */
import { useEffect, useId, useState } from 'react'
import type { Answer } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import type { Filter } from '../../modules/analytics/reports/analytics-filter.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/controls.tsx'
import { formatCount, formatCounted, formatRate, formatShare, formatUsd } from '../../ui/format.ts'
import { Card } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { QueryView } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Nothing } from '../../ui/values.tsx'
import { shareIn, USUAL_SHARE, whatIfIn, writeSentence } from './what-if-question.ts'

type Answered = Answer<'/admin/analytics/what-if', 'get'>
type WhatIf = NonNullable<Answered['what_if']>
type Choices = Answered['choices']

export function WhatIfCard({ filter }: { readonly filter: Filter }) {
  const [state, setState] = useUrlState()
  const { from, to, share } = whatIfIn(state)
  const answer = useGet(
    '/admin/analytics/what-if',
    {
      params: {
        query: {
          ...filter.query,
          share,
          ...(from === undefined ? {} : { from_model: from }),
          ...(to === undefined ? {} : { to_model: to }),
        },
      },
    },
    { keepPrevious: true },
  )
  const known = useLatest(answer.data)
  return (
    <Card
      title="What if"
      lead="The same tokens at the prices of another model that are in force now."
      actions={
        (from !== undefined || to !== undefined) && (
          <Button onClick={() => setState({ was: undefined, instead: undefined })}>Suggest models</Button>
        )
      }
    >
      {known !== undefined && known.choices.from.length > 0 && (
        <Question
          choices={known.choices}
          from={from ?? known.what_if?.from.model ?? ''}
          to={to ?? known.what_if?.to.model ?? ''}
          share={share}
        />
      )}
      <QueryView query={answer} rows={4}>
        {(data) =>
          data.what_if === null ? <None reason={data.reason} /> : <Told data={{ ...data, what_if: data.what_if }} />
        }
      </QueryView>
    </Card>
  )
}

/** The choices stay while a refused question is on the screen: another one is then a choice away. */
function useLatest(data: Answered | undefined): Answered | undefined {
  const [latest, setLatest] = useState(data)
  if (data === undefined || data === latest) return latest
  setLatest(data)
  return data
}

interface QuestionProps {
  readonly choices: Choices
  readonly from: string
  readonly to: string
  readonly share: number
}

function Question({ choices, from, to, share }: QuestionProps) {
  const [, setState] = useUrlState()
  const listed = (models: Choices['from'], chosen: string) => [
    ...(chosen === '' ? [{ value: '', label: 'Choose a model' }] : []),
    ...models.map(({ model, name }) => ({ value: model, label: name })),
  ]
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Select
        label="Calls to"
        value={from}
        choices={listed(choices.from, from)}
        onChange={(was) => setState({ was: was || undefined })}
      />
      <Select
        label="had gone to"
        value={to}
        choices={listed(choices.to, to)}
        onChange={(instead) => setState({ instead: instead || undefined })}
      />
      {/* Anew for a share that came from elsewhere, as by going back. */}
      <Share key={share} share={share} />
    </div>
  )
}

/** So long a hand rests before the gateway is asked: a slider passes many numbers on its way. */
const REST_MS = 200

function Share({ share }: { readonly share: number }) {
  const id = useId()
  const [, setState] = useUrlState()
  const [text, setText] = useState(String(share))
  const next = shareIn(text)
  useEffect(() => {
    if (next === undefined || next === share) return undefined
    const timer = setTimeout(() => setState({ share: next === USUAL_SHARE ? undefined : String(next) }), REST_MS)
    return () => clearTimeout(timer)
  }, [next, share, setState])
  return (
    <div className="flex min-w-0 items-center gap-2">
      <label htmlFor={id} className="text-text-3 whitespace-nowrap">
        Share of the calls
      </label>
      <input
        id={id}
        type="range"
        min={1}
        max={100}
        step={1}
        value={next ?? share}
        aria-valuetext={`${next ?? share}%`}
        onChange={(event) => setText(event.target.value)}
        className="w-32 min-w-0 accent-accent"
      />
      <input
        type="number"
        min={1}
        max={100}
        step={1}
        aria-label="Share of the calls in percent"
        aria-invalid={next === undefined || undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="control !w-20 tabular"
      />
      <span aria-hidden>%</span>
    </div>
  )
}

function None({ reason }: { readonly reason: Answered['reason'] }) {
  if (reason === 'no_calls') return <p className="text-text-2">No call in this range went to a model.</p>
  return (
    <p className="text-text-2">
      No cheaper model of another family has a price. Choose one above, or{' '}
      <PageLink to="/models" search={{ tab: 'prices' }}>
        look at the prices
      </PageLink>
      .
    </p>
  )
}

function Told({ data }: { readonly data: Answered & { readonly what_if: WhatIf } }) {
  const { from } = data.what_if
  return (
    <>
      <p className="text-16" aria-live="polite">
        {from.calls === 0
          ? `No call to ${from.name} in this range has a price: there is nothing to compare.`
          : writeSentence(data, { usd: formatUsd, share: formatShare })}
      </p>
      {from.unpriced_calls > 0 && (
        <p className="mt-1 text-13 text-text-3">
          {formatCounted(from.unpriced_calls, 'request')} had no known price. What was spent on{' '}
          {from.unpriced_calls === 1 ? 'it' : 'them'} is an estimate.
        </p>
      )}
      {from.calls > 0 && <Behind told={data.what_if} assumptions={data.assumptions} />}
    </>
  )
}

const kinds = [
  ['Input', 'input'],
  ['Output', 'output'],
  ['Cache read', 'cache_read'],
  ['Cache write, 5 minutes', 'cache_write_5m'],
  ['Cache write, 1 hour', 'cache_write_1h'],
] as const

const scopes = { global: 'Global', geo: 'Regional', 'us-gov': 'GovCloud' } as const

interface TokenRow {
  readonly id: string
  readonly kind: string
  readonly profile: string
  readonly tokens: number
  readonly was: number | null
  readonly wouldBe: number | null
}

function listRows({ parts }: WhatIf): readonly TokenRow[] {
  return parts.flatMap((part, place) =>
    kinds.map(([kind, field]) => ({
      id: `${place} ${field}`,
      kind,
      profile: part.long_context ? `${scopes[part.scope]}, long prompts` : scopes[part.scope],
      tokens: part.tokens[field],
      was: part.from_rates?.[`${field}_usd_per_mtok`] ?? null,
      wouldBe: part.to_rates[`${field}_usd_per_mtok`],
    })),
  )
}

function Behind({ told, assumptions }: { readonly told: WhatIf; readonly assumptions: readonly string[] }) {
  return (
    <details className="mt-3">
      <summary className="cursor-pointer text-13 text-text-2">
        Tokens, prices and assumptions: {formatCounted(told.from.calls, 'call')} to {told.from.name}
      </summary>
      <div className="-mx-4 mt-2">
        <PlainTable
          caption="Tokens of the calls, and what a million of them costs"
          rows={listRows(told)}
          rowId={({ id }) => id}
          empty="No tokens."
          columns={[
            { id: 'kind', header: 'Tokens', cell: ({ kind }) => kind },
            { id: 'profile', header: 'Profile', isMinor: true, cell: ({ profile }) => profile },
            {
              id: 'tokens',
              header: 'Recorded',
              align: 'right',
              cell: ({ tokens }) => <span className="tabular">{formatCount(tokens)}</span>,
            },
            {
              id: 'was',
              header: `${told.from.name}, a million`,
              align: 'right',
              cell: ({ was }) => <Rate usd={was} />,
            },
            { id: 'would', header: told.to.name, align: 'right', cell: ({ wouldBe }) => <Rate usd={wouldBe} /> },
          ]}
        />
      </div>
      <ul className="mt-2 list-disc pl-5 text-13 text-text-3">
        {assumptions.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  )
}

function Rate({ usd }: { readonly usd: number | null }) {
  return usd === null ? <Nothing word="no price" /> : <span className="tabular">{formatRate(usd)}</span>
}
