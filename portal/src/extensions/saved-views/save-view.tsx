/** Gives what the page shows a name. */
import * as z from 'zod/mini'
import { api } from '../../api/client.ts'
import { useWrite } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'A name.'), z.maxLength(100, 'At most 100 characters.')),
})

export function SaveView({ path, onClose }: { readonly path: string; readonly onClose: () => void }) {
  const save = useWrite(
    ({ name }: { readonly name: string }) =>
      api.put('/me/views/{name}', { params: { path: { name } }, body: { path } }),
    { refreshes: ['/me/views'], done: ({ name }) => `${name} is saved.`, onDone: onClose, showsErrors: true },
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Save this view"
      lead="The range, the filters and the tab of this page, for yourself. To show it to somebody, send the address of the page."
    >
      <Form
        schema={schema}
        defaults={{ name: '' }}
        submit="Save view"
        onCancel={onClose}
        onSubmit={(values) => save.mutateAsync(values)}
      >
        <TextField name="name" label="Name" hint="One of yours that has this name is replaced." />
      </Form>
    </Dialog>
  )
}
