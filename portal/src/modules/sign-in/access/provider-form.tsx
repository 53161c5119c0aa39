/** Adding or changing an identity provider; a test shows what it says before anything is saved. */
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { toApiError } from '../../../api/api-error.ts'
import { type Answer, api } from '../../../api/client.ts'
import { useWrite } from '../../../api/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { Callout, Failure } from '../../../ui/states.tsx'
import { claims, type Provider, providerPaths } from './provider-facts.ts'

const schema = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, 'What people see on the button.'), z.maxLength(100, 'At most 100 characters.')),
  issuer_url: z.string().check(z.trim(), z.regex(/^https?:\/\/.+/, 'The issuer, such as https://login.example.com.')),
  audience: z.string().check(z.trim(), z.minLength(1, 'What the provider’s tokens name as their audience.')),
  client_id: z.string().check(z.trim()),
  client_secret: z.string(),
  user_claim: z.enum(claims),
  allowed_domains: z.string().check(z.trim()),
  auto_provision: z.boolean(),
  default_role: z.enum(['member', 'admin']),
  logout: z.enum(['local', 'provider']),
})

type Values = z.infer<typeof schema>

export function ProviderForm({
  provider,
  onClose,
}: {
  readonly provider: Provider | undefined
  readonly onClose: () => void
}) {
  const save = useWrite(
    (values: Values): Promise<Provider> =>
      provider === undefined
        ? api.post('/admin/idps', { body: toBody(values) })
        : api.patch('/admin/idps/{id}', { params: { path: { id: provider.id } }, body: toBody(values) }),
    { refreshes: providerPaths, done: ({ name }) => `${name} is saved.`, onDone: onClose, showsErrors: true },
  )
  const redirectAddress = `${location.origin}/portal`
  return (
    <Dialog
      isOpen
      size="wide"
      onClose={onClose}
      title={provider === undefined ? 'Add an identity provider' : `Change ${provider.name}`}
      lead={
        <span className="flex flex-wrap items-center gap-x-1.5">
          Its redirect address: <code className="font-mono text-13 [overflow-wrap:anywhere]">{redirectAddress}</code>
          <CopyButton text={redirectAddress} label="Copy the redirect address" />
        </span>
      }
    >
      <Form
        schema={schema}
        defaults={readDefaults(provider)}
        submit="Save"
        onCancel={onClose}
        actions={<TestFirst />}
        onSubmit={(values) => save.mutateAsync(values)}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField name="name" label="Name" placeholder="Okta" />
          <TextField name="issuer_url" label="Issuer" placeholder="https://login.example.com" inputMode="url" />
          <TextField name="audience" label="Audience" />
          <TextField name="client_id" label="Client id" hint="Empty: the audience." />
          <TextField
            name="client_secret"
            type="password"
            label="Client secret"
            hint={
              provider?.has_client_secret === true
                ? 'Leave it empty to keep the stored one.'
                : 'Empty for public clients.'
            }
          />
          <SelectField
            name="user_claim"
            label="Who somebody is"
            hint="The claim that names a person."
            choices={claims.map((value) => ({ value, label: value }))}
          />
          <TextField
            name="allowed_domains"
            label="Domains"
            hint="With commas between them. Empty: every domain."
            placeholder="example.com"
          />
          <SelectField
            name="default_role"
            label="Role of new people"
            choices={[
              { value: 'member', label: 'Member' },
              { value: 'admin', label: 'Administrator' },
            ]}
          />
          <SelectField
            name="logout"
            label="Sign-out"
            hint="What users sign out of in the portal."
            choices={[
              { value: 'local', label: 'Gateway only' },
              { value: 'provider', label: 'Gateway and provider' },
            ]}
          />
        </div>
        <CheckField
          name="auto_provision"
          label="Let new people in"
          hint="Off: only people who were added before may sign in."
        />
      </Form>
    </Dialog>
  )
}

type TestResult = Answer<'/admin/idps/test', 'post'>

/** Runs with what is typed, saved or not. What it found belongs to that, and is gone when something else is typed. */
function TestFirst() {
  const { trigger } = useFormContext<Values>()
  const body = toTestBody(useWatch() as Values)
  const of = JSON.stringify(body)
  const [state, setState] = useState<{
    readonly isBusy: boolean
    readonly of?: string
    readonly result?: TestResult
    readonly error?: unknown
  }>({ isBusy: false })
  const run = async (): Promise<void> => {
    if (!(await trigger(['issuer_url', 'audience']))) return
    setState({ isBusy: true })
    try {
      setState({ isBusy: false, of, result: await api.post('/admin/idps/test', { body }) })
    } catch (error) {
      setState({ isBusy: false, of, error: toApiError(error) })
    }
  }
  const { result, error } = state.of === of ? state : {}
  return (
    <>
      <Button isBusy={state.isBusy} onClick={() => void run()}>
        Test
      </Button>
      <div className="flex w-full flex-col gap-2 empty:hidden">
        {error !== undefined && <Failure error={error} title="The test could not be run" />}
        {result !== undefined && (
          <>
            <Callout
              tone={result.discovery.ok ? 'ok' : 'bad'}
              title={result.discovery.ok ? 'The provider describes itself' : 'No description of the provider'}
            >
              {result.discovery.message}
            </Callout>
            <Callout
              tone={result.signing_keys.ok ? 'ok' : 'bad'}
              title={
                result.signing_keys.ok ? `${result.signing_keys.usable} usable signing keys` : 'No usable signing key'
              }
            >
              {result.signing_keys.message}
            </Callout>
          </>
        )}
      </div>
    </>
  )
}

/** What people will see on the button says nothing about the provider, and may be chosen later. */
function toTestBody(values: Values) {
  return toBody({ ...values, name: 'Not named yet' })
}

function readDefaults(provider: Provider | undefined): Values {
  return {
    name: provider?.name ?? '',
    issuer_url: provider?.issuer_url ?? '',
    audience: provider?.audience ?? '',
    client_id: provider?.client_id ?? '',
    client_secret: '',
    user_claim: provider?.user_claim ?? 'auto',
    allowed_domains: provider?.allowed_domains?.join(', ') ?? '',
    auto_provision: provider?.auto_provision ?? true,
    default_role: provider?.default_role ?? 'member',
    logout: provider?.logout ?? 'local',
  }
}

function toBody({ client_secret, client_id, allowed_domains, ...rest }: Values) {
  const domains = allowed_domains
    .split(',')
    .map((domain) => domain.trim())
    .filter((domain) => domain !== '')
  return {
    ...rest,
    client_id: client_id || null,
    allowed_domains: domains.length === 0 ? null : domains,
    ...(client_secret === '' ? {} : { client_secret }),
  }
}
