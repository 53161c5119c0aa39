/** Choose, paste the key, try it, save it. Trying never saves. */
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { toApiError } from '../../../api/api-error.ts'
import type { Answer, Body } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { formatDurationMs } from '../../../ui/format.ts'
import { Card } from '../../../ui/layout.tsx'
import { Callout, Failure } from '../../../ui/states.tsx'
import { findKind, type ProviderType, providerKinds, providerLabel } from './providers.ts'

type Provider = NonNullable<Answer<'/me/search-provider', 'get'>['provider']>

const MAX_RESULTS = 20

const schema = z.object({
  provider_type: z.string(),
  api_key: z.string().check(z.trim()),
  api_url: z.string().check(z.trim()),
  max_results: z
    .string()
    .check(
      z.refine(
        (text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_RESULTS,
        `A whole number from 1 to ${MAX_RESULTS}.`,
      ),
    ),
})
type Values = z.infer<typeof schema>

export type ProviderBody = Body<'/me/search-provider', 'put'>

interface ProviderFormProps {
  readonly current: Provider | null
  readonly title: string
  readonly onSave: (provider: ProviderBody) => Promise<unknown>
  readonly onTest: (provider: ProviderBody) => Promise<Outcome>
}

/** For one person or for everybody: where it is kept is the caller's business. */
export function ProviderForm({ current, title, onSave, onTest }: ProviderFormProps) {
  return (
    <Card title={title}>
      <Form
        schema={schema}
        followsDefaults
        defaults={{
          provider_type: current?.provider_type ?? 'duckduckgo',
          api_key: '',
          api_url: current?.api_url ?? '',
          max_results: String(current?.max_results ?? 5),
        }}
        submit="Save"
        actions={<TryIt onTest={onTest} />}
        onSubmit={(values) => onSave(toBody(values))}
      >
        <SelectField name="provider_type" label="Provider" choices={providerKinds} />
        <ProviderFields current={current} />
        <TextField name="max_results" label="Results for each search" inputMode="numeric" />
      </Form>
    </Card>
  )
}

function ProviderFields({ current }: { readonly current: Provider | null }) {
  const type = useWatch({ name: 'provider_type' }) as ProviderType
  const kind = findKind(type)
  const keepsKey = current?.has_api_key === true && current.provider_type === type
  return (
    <>
      <p className="-mt-2 text-13 text-text-3">{kind?.note}</p>
      {type !== 'duckduckgo' && (
        <TextField
          name="api_key"
          type="password"
          label={kind?.needsKey === true ? 'Key' : 'Key, if the service wants one'}
          hint={keepsKey ? 'Leave it empty to keep the stored one.' : 'Stored encrypted, and never shown again.'}
        />
      )}
      <TextField
        name="api_url"
        label={kind?.needsUrl === true ? 'Address' : 'Address, if not the public one'}
        placeholder="https://"
        inputMode="url"
      />
    </>
  )
}

type Outcome = Answer<'/me/search-provider/test', 'post'>

/** What a try has found belongs to what was typed then, and is gone when something else is. */
function TryIt({ onTest }: Pick<ProviderFormProps, 'onTest'>) {
  const { trigger } = useFormContext<Values>()
  const body = toBody(useWatch() as Values)
  const of = JSON.stringify(body)
  const [state, setState] = useState<{ of?: string; outcome?: Outcome; error?: unknown; isBusy: boolean }>({
    isBusy: false,
  })
  const run = async (): Promise<void> => {
    if (!(await trigger())) return
    setState({ isBusy: true })
    try {
      setState({ isBusy: false, of, outcome: await onTest(body) })
    } catch (error) {
      setState({ isBusy: false, of, error: toApiError(error) })
    }
  }
  const { outcome, error } = state.of === of ? state : {}
  return (
    <>
      <Button isBusy={state.isBusy} onClick={() => void run()}>
        Test
      </Button>
      {error !== undefined && (
        <div className="w-full">
          <Failure error={error} title="The test could not be run" />
        </div>
      )}
      {outcome !== undefined && (
        <div className="w-full">
          <Callout
            tone={outcome.success ? 'ok' : 'bad'}
            title={
              outcome.success
                ? `${providerLabel(outcome.provider_type)} answered with ${outcome.result_count} results in ${formatDurationMs(outcome.duration_ms)}`
                : `${providerLabel(outcome.provider_type)} did not answer as hoped`
            }
          >
            {outcome.error}
          </Callout>
        </div>
      )}
    </>
  )
}

/** An empty key is left out: the gateway then keeps the stored one. */
function toBody(values: Values): ProviderBody {
  return {
    provider_type: values.provider_type as ProviderType,
    ...(values.api_key === '' ? {} : { api_key: values.api_key }),
    ...(values.api_url === '' ? {} : { api_url: values.api_url }),
    max_results: Number(values.max_results),
  }
}
