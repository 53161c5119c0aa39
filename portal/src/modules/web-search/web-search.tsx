/** Who answers the searches of the models: everybody's own provider, one for all, or nobody. */
import { useState } from 'react'
import { type Answer, api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import { Card, Page } from '../../ui/layout.tsx'
import { Callout, QueryView } from '../../ui/states.tsx'
import { type ProviderBody, ProviderForm } from './my-search/provider-form.tsx'

type WebSearch = Answer<'/admin/websearch-mode', 'get'>
type Mode = WebSearch['mode']

const modes: readonly { readonly value: Mode; readonly label: string; readonly text: string }[] = [
  { value: 'enabled', label: 'Everybody’s own', text: 'People may set a provider; without one DuckDuckGo answers.' },
  { value: 'global', label: 'One for everybody', text: 'The provider below answers for all; nobody needs a key.' },
  {
    value: 'disabled',
    label: 'Off',
    text: 'The tool is taken out of every request, and clients are told not to offer it.',
  },
]

const refreshes = ['/admin/websearch-mode', '/admin/settings', '/me/search-provider'] as const

export function WebSearchPage() {
  const mode = useGet('/admin/websearch-mode')
  return (
    <Page
      title="Web search mode"
      lead="Amazon Bedrock has no web search: the gateway runs the searches and hands the results to the model."
      isNarrow
    >
      <QueryView query={mode}>{(now) => <Shown now={now} />}</QueryView>
    </Page>
  )
}

function Shown({ now }: { readonly now: WebSearch }) {
  const set = useWrite((mode: Mode) => api.put('/admin/websearch-mode', { body: { mode } }), {
    refreshes,
    done: 'The mode is saved; it counts for the next request.',
  })
  // React puts a radio back before a pending write is known: the choice is kept here until the answer is in.
  const [wanted, setWanted] = useState<Mode>()
  const choose = (mode: Mode) => {
    setWanted(mode)
    set.mutate(mode, { onSettled: () => setWanted(undefined) })
  }
  const save = useWrite(
    (provider: ProviderBody) => api.put('/admin/websearch-mode', { body: { mode: 'global', provider } }),
    {
      refreshes,
      done: 'This provider answers for everybody now.',
      showsErrors: true,
    },
  )
  return (
    <>
      <Card title="Mode">
        <fieldset className="flex flex-col gap-3">
          <legend className="sr-only">Who answers searches</legend>
          {modes.map(({ value, label, text }) => (
            <label key={value} className="flex items-start gap-2.5">
              <input
                type="radio"
                name="mode"
                value={value}
                checked={(wanted ?? now.mode) === value}
                onChange={() => choose(value)}
                className="mt-1 size-4 accent-accent"
              />
              <span>
                <span className="font-medium">{label}</span>
                <span className="block text-13 text-text-3">{text}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </Card>
      {/* The gateway tells the provider in the mode that uses it only: here nobody knows whether one is stored. */}
      {now.provider === undefined && (
        <Callout tone="info">
          “One for everybody” uses the provider that was saved for everybody before. If there is none, save one below.
        </Callout>
      )}
      <ProviderForm
        current={now.provider ?? null}
        title={now.mode === 'global' ? 'Provider for everybody' : 'Save a provider and use it for everybody'}
        onSave={(provider) => save.mutateAsync(provider)}
        onTest={(provider) => api.post('/admin/websearch-mode/test', { body: provider })}
      />
    </>
  )
}
