/** Which service answers when one's assistant searches the web. */
import { useState } from 'react'
import { type Answer, api } from '../../../api/client.ts'
import { useGet, useWrite } from '../../../api/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { Card, Facts, Page } from '../../../ui/layout.tsx'
import { Callout, QueryView } from '../../../ui/states.tsx'
import { Time } from '../../../ui/values.tsx'
import { type ProviderBody, ProviderForm } from './provider-form.tsx'
import { providerLabel } from './providers.ts'

type Own = Answer<'/me/search-provider', 'get'>

export function MySearchPage() {
  const own = useGet('/me/search-provider')
  return (
    <Page
      title="My web search"
      lead="When your assistant searches the web, the gateway asks this service in your name and hands the results on."
      isNarrow
    >
      <QueryView query={own}>{(data) => <OwnSearch own={data} />}</QueryView>
    </Page>
  )
}

function OwnSearch({ own }: { readonly own: Own }) {
  const [isRemoving, setIsRemoving] = useState(false)
  const save = useWrite((body: ProviderBody) => api.put('/me/search-provider', { body }), {
    refreshes: ['/me/search-provider'],
    done: 'Saved. Your next search uses it.',
    showsErrors: true,
  })
  const remove = useWrite(() => api.delete('/me/search-provider'), {
    refreshes: ['/me/search-provider'],
    done: 'Your provider is removed; DuckDuckGo answers again',
    showsErrors: true,
  })
  if (own.mode === 'disabled')
    return (
      <Callout tone="info" title="Web search is switched off here">
        An administrator decided that assistants do not search the web. What you set below would have no effect.
      </Callout>
    )
  if (own.mode === 'global')
    return (
      <Callout tone="info" title="One provider serves everybody">
        An administrator has set it up; your own choice is not used while that is so.
      </Callout>
    )
  const { provider } = own
  return (
    <>
      <Card
        title="In use"
        actions={
          provider === null ? undefined : (
            <Button tone="danger" onClick={() => setIsRemoving(true)}>
              Remove
            </Button>
          )
        }
      >
        {provider === null ? (
          <p className="text-text-2">DuckDuckGo, which needs no key. Choose another one below for better results.</p>
        ) : (
          <Facts
            facts={[
              { name: 'Provider', value: providerLabel(provider.provider_type) },
              { name: 'Address', value: provider.api_url ?? 'the public one' },
              { name: 'Key', value: provider.has_api_key ? 'stored, encrypted' : 'none' },
              { name: 'Results', value: `up to ${provider.max_results}` },
              { name: 'Changed', value: <Time at={provider.updated_at} isExact /> },
            ]}
          />
        )}
      </Card>
      <ProviderForm
        current={provider}
        title={provider === null ? 'Choose a provider' : 'Change it'}
        onSave={(body) => save.mutateAsync(body)}
        onTest={(body) => api.post('/me/search-provider/test', { body })}
      />
      <Confirm
        isOpen={isRemoving}
        onClose={() => setIsRemoving(false)}
        title="Remove your search provider?"
        action="Remove"
        onConfirm={() => remove.mutateAsync(undefined)}
      >
        Its stored key is deleted, and DuckDuckGo answers your searches from now on.
      </Confirm>
    </>
  )
}
