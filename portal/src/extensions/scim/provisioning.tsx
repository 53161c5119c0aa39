/** SCIM of one provider: its tokens, its group of administrators, and how much it has provisioned. */
import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { type Answer, api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import type { Provider } from '../../modules/sign-in/access/provider-facts.ts'
import { Button } from '../../ui/button.tsx'
import { Command } from '../../ui/copy.tsx'
import { Confirm, Drawer } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { formatCounted } from '../../ui/format.ts'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Callout, QueryView } from '../../ui/states.tsx'
import { Time } from '../../ui/values.tsx'

type Token = Answer<'/admin/idps/{id}/scim-tokens', 'get'>['data'][number]

const nameSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'What will use it.'), z.maxLength(100, 'At most 100 characters.')),
})
const tokenPaths = ['/admin/idps/{id}/scim-tokens'] as const
const groupSchema = z.object({ group: z.string().check(z.trim()) })

export function Provisioning({ provider, onClose }: { readonly provider: Provider; readonly onClose: () => void }) {
  const path = { params: { path: { id: provider.id } } }
  const [secret, setSecret] = useState('')
  // The secret that is on its way is shown only once, and here. Known from the moment it is asked for, before anything is drawn.
  const isOnItsWay = useRef(false)
  const show = (token: string): void => {
    isOnItsWay.current = false
    setSecret(token)
  }
  const create = useWrite(
    ({ name }: z.infer<typeof nameSchema>) => api.post('/admin/idps/{id}/scim-tokens', { ...path, body: { name } }),
    { refreshes: tokenPaths, onDone: ({ token }) => show(token), showsErrors: true },
  )
  const makeToken = async (values: z.infer<typeof nameSchema>): Promise<void> => {
    isOnItsWay.current = true
    try {
      await create.mutateAsync(values)
    } finally {
      isOnItsWay.current = false
    }
  }
  const close = (): void => {
    if (!isOnItsWay.current) onClose()
  }
  const state = useGet('/admin/idps/{id}/scim', path)
  const setGroup = useWrite(
    ({ group }: z.infer<typeof groupSchema>) =>
      api.put('/admin/idps/{id}/scim', { ...path, body: { scim_admin_group: group || null } }),
    { refreshes: ['/admin/idps/{id}/scim'], done: 'The group is saved.', showsErrors: true },
  )
  return (
    <Drawer
      isOpen
      staysOpen
      onClose={close}
      title={`Provisioning by ${provider.name}`}
      lead="People and teams that the provider keeps up to date."
    >
      <div className="flex flex-col gap-6">
        <section className="flex flex-col gap-1.5">
          <h3 className="font-medium">Address for the provider</h3>
          <Command text={`${location.origin}/scim/v2`} label="the address" />
        </section>
        <QueryView query={state}>
          {(scim) => (
            <>
              <p className="text-text-2">
                Provisioned: {formatCounted(scim.users, 'person', 'people')} and {formatCounted(scim.groups, 'group')}.
              </p>
              <Form
                followsDefaults
                schema={groupSchema}
                defaults={{ group: scim.scim_admin_group ?? '' }}
                submit="Save group"
                submitTone="plain"
                onSubmit={(values) => setGroup.mutateAsync(values)}
              >
                <TextField
                  name="group"
                  label="Group of administrators"
                  hint="Its members become administrators. Empty: nobody by group."
                />
              </Form>
            </>
          )}
        </QueryView>
        <Tokens provider={provider} secret={secret} onCreate={makeToken} />
      </div>
    </Drawer>
  )
}

function Tokens({
  provider,
  secret,
  onCreate,
}: {
  readonly provider: Provider
  /** Of the token that was made last. */
  readonly secret: string
  readonly onCreate: (values: z.infer<typeof nameSchema>) => Promise<unknown>
}) {
  const [leaving, setLeaving] = useState<Token>()
  const path = { params: { path: { id: provider.id } } }
  const tokens = useGet('/admin/idps/{id}/scim-tokens', path)
  const remove = useWrite(
    ({ id }: Token) =>
      api.delete('/admin/idps/{id}/scim-tokens/{token_id}', { params: { path: { id: provider.id, token_id: id } } }),
    { refreshes: tokenPaths, done: 'The token is deleted.', showsErrors: true },
  )
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-semibold">Tokens</h3>
      {secret !== '' && (
        <Callout tone="ok" title="Copy the token now: it is not shown again">
          <Command text={secret} label="the token" />
        </Callout>
      )}
      <QueryView query={tokens}>
        {({ data }) => (
          <div className="-mx-4">
            <PlainTable
              caption="Provisioning tokens"
              rows={data}
              rowId={({ id }) => id}
              empty="None yet: the provider cannot provision anybody."
              columns={[
                {
                  id: 'name',
                  header: 'Name',
                  cell: ({ name, prefix }) => (
                    <>
                      {name} <span className="font-mono text-12 text-text-3">{prefix}…</span>
                    </>
                  ),
                },
                { id: 'used', header: 'Last used', cell: ({ last_used_at: at }) => <Time at={at} /> },
                {
                  id: 'delete',
                  header: 'Delete',
                  align: 'right',
                  cell: (token) => (
                    <Button tone="danger" onClick={() => setLeaving(token)}>
                      Delete
                    </Button>
                  ),
                },
              ]}
            />
          </div>
        )}
      </QueryView>
      <Form schema={nameSchema} defaults={{ name: '' }} submit="Create token" isResetAfter onSubmit={onCreate}>
        <TextField name="name" label="Name of a new token" />
      </Form>
      <Confirm
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Delete ${leaving?.name}?`}
        action="Delete"
        onConfirm={async () => leaving !== undefined && (await remove.mutateAsync(leaving))}
      >
        The provider cannot provision with it any more.
      </Confirm>
    </section>
  )
}
