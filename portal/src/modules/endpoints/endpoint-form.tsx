/** Adding an endpoint or changing one, with the policies that another account needs. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import * as z from 'zod/mini'
import { api } from '../../api/client.ts'
import { useWrite } from '../../api/queries.ts'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { AffectedTeams } from './affected-teams.tsx'
import { type Endpoint, endpointPaths, prefixes } from './endpoint-facts.tsx'
import { PolicyHelp } from './policy-help.tsx'

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Give it a name.'), z.maxLength(100, 'At most 100 characters.')),
  region: z.string().check(z.trim(), z.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'A region such as eu-central-1.')),
  routing_prefix: z.enum(prefixes),
  priority: z.string().check(z.regex(/^\d{1,4}$/, 'A whole number; the lowest is asked first.')),
  enabled: z.boolean(),
  role_arn: z
    .string()
    .check(z.trim(), z.regex(/^(arn:aws[a-z-]*:iam::\d{12}:role\/.+)?$/, 'A role ARN, or empty for the own account.')),
  external_id: z.string().check(z.trim()),
})

type Values = z.infer<typeof schema>

export function EndpointForm({
  endpoint,
  onClose,
}: {
  readonly endpoint: Endpoint | undefined
  readonly onClose: () => void
}) {
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Values>()
  const save = useWrite((values: Values) => send(endpoint, values), {
    refreshes: endpointPaths,
    done: ({ name }) => `${name} is saved; its health is checked now.`,
    onDone: ({ id }) => {
      onClose()
      if (endpoint === undefined) void navigate({ to: `/endpoints/${id}` as never })
    },
    showsErrors: true,
  })
  return (
    <Dialog
      isOpen
      size="wide"
      onClose={onClose}
      title={endpoint === undefined ? 'Add an endpoint' : `Change ${endpoint.name}`}
      lead="A region of this account, or of another one through a role."
    >
      <Form
        schema={schema}
        defaults={readDefaults(endpoint)}
        submit={endpoint === undefined ? 'Add endpoint' : 'Save'}
        onCancel={onClose}
        onSubmit={async (values) => {
          if (endpoint?.enabled === true && !values.enabled) setAsked(values)
          else await save.mutateAsync(values)
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField name="name" label="Name" />
          <TextField name="region" label="Region" placeholder="eu-central-1" />
          <SelectField
            name="routing_prefix"
            label="Scope of the profiles"
            hint="Calls go to inference profiles that begin with it."
            choices={prefixes.map((value) => ({ value, label: value }))}
          />
          <TextField name="priority" label="Priority" inputMode="numeric" hint="The lowest is asked first." />
          <TextField
            name="role_arn"
            label="Role in another account"
            placeholder="arn:aws:iam::222222222222:role/causeway-endpoint"
            hint="Empty: the gateway’s own credentials."
          />
          <TextField name="external_id" label="External id" hint="When the role’s trust asks for one." />
        </div>
        <CheckField name="enabled" label="Enabled" hint="A disabled endpoint keeps its settings and gets no calls." />
        <PolicyForValues />
      </Form>
      {endpoint !== undefined && (
        <Confirm
          isOpen={asked !== undefined}
          onClose={() => setAsked(undefined)}
          title={`Disable ${endpoint.name}?`}
          action="Disable"
          onConfirm={async () => asked !== undefined && (await save.mutateAsync(asked))}
        >
          <AffectedTeams endpointId={endpoint.id} effect="if_disabled" />
        </Confirm>
      )}
    </Dialog>
  )
}

/** Follows what is typed, so that the policies can be copied before anything is saved. */
function PolicyForValues() {
  const { watch } = useFormContext<Values>()
  const [roleArn, externalId] = [watch('role_arn'), watch('external_id')]
  return roleArn === '' ? null : <PolicyHelp roleArn={roleArn} externalId={externalId} />
}

function readDefaults(endpoint: Endpoint | undefined): Values {
  if (endpoint === undefined)
    return { name: '', region: '', routing_prefix: 'us', priority: '10', enabled: true, role_arn: '', external_id: '' }
  return {
    name: endpoint.name,
    region: endpoint.region,
    routing_prefix: endpoint.routing_prefix,
    priority: String(endpoint.priority),
    enabled: endpoint.enabled,
    role_arn: endpoint.role_arn ?? '',
    external_id: endpoint.external_id ?? '',
  }
}

function send(endpoint: Endpoint | undefined, values: Values): Promise<Endpoint> {
  const body = {
    ...values,
    priority: Number(values.priority),
    role_arn: values.role_arn || null,
    external_id: values.external_id || null,
  }
  if (endpoint === undefined) return api.post('/admin/endpoints', { body })
  return api.put('/admin/endpoints/{id}', { params: { path: { id: endpoint.id } }, body })
}
