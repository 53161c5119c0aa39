/** Every route of this gateway, from its own description: who may call it, what it takes, what it answers. */
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { errorOfAnswer } from '../../../api/api-error.ts'
import { ButtonAnchor } from '../../../ui/button.tsx'
import { Command } from '../../../ui/copy.tsx'
import { Card, Page } from '../../../ui/layout.tsx'
import { Badge, Empty, QueryView } from '../../../ui/states.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { type ApiDocument, listOperations, type Operation, writeCurl } from './api-document.ts'

const accessWords: Readonly<Record<string, string>> = {
  open: 'anybody',
  client: 'any credential',
  'self-read': 'any credential',
  person: 'a signed-in person',
  admin: 'administrators',
  scim: 'a provisioning token',
}

async function readDocument(): Promise<readonly Operation[]> {
  const response = await fetch('/openapi.json')
  const body: unknown = await response.json()
  if (!response.ok) throw errorOfAnswer(response, body)
  return listOperations(body as ApiDocument)
}

export function ApiReferencePage() {
  const operations = useQuery({
    queryKey: ['/openapi.json'],
    queryFn: readDocument,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Page
      title="API reference"
      lead="What the portal does, a program can do. Errors use one format, except on Bedrock and SCIM routes."
      actions={<ButtonAnchor href="/openapi.json">OpenAPI document</ButtonAnchor>}
    >
      <QueryView query={operations} rows={10}>
        {(all) => <Listing operations={all} />}
      </QueryView>
    </Page>
  )
}

function Listing({ operations }: { readonly operations: readonly Operation[] }) {
  const [state, setState] = useUrlState()
  const wanted = (state['q'] ?? '').toLowerCase()
  const found = operations.filter(({ path, summary, method, tag }) =>
    `${method} ${path} ${summary} ${tag}`.toLowerCase().includes(wanted),
  )
  const byTag = Map.groupBy(found, ({ tag }) => tag)
  return (
    <>
      <div className="relative w-full sm:w-96">
        <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-text-3" aria-hidden />
        <input
          type="search"
          data-page-search
          aria-label="Search routes"
          placeholder="Search routes"
          defaultValue={state['q'] ?? ''}
          onChange={(event) => setState({ q: event.target.value || undefined })}
          className="control !pl-8"
        />
      </div>
      {found.length === 0 && <Empty title="Nothing matches">Try fewer or other words.</Empty>}
      {[...byTag].map(([tag, members]) => (
        <Card key={tag} title={tag} isFlush>
          <div className="divide-y divide-line border-t border-line">
            {members.map((operation) => (
              <Route key={operation.id} operation={operation} />
            ))}
          </div>
        </Card>
      ))}
    </>
  )
}

function Route({ operation }: { readonly operation: Operation }) {
  return (
    <details className="group px-4 py-2">
      <summary className="flex cursor-default flex-wrap items-center gap-x-3 gap-y-1">
        <span className="w-14 font-mono text-12 font-semibold text-text-2">{operation.method}</span>
        <code className="font-mono text-13 [overflow-wrap:anywhere]">{operation.path}</code>
        <span className="order-last w-full min-w-0 text-text-3 sm:order-none sm:w-auto sm:flex-1">
          {operation.summary}
        </span>
        <Badge>{accessWords[operation.access] ?? operation.access}</Badge>
      </summary>
      <div className="mt-3 flex flex-col gap-3 pb-2">
        {operation.description !== '' && <p className="max-w-3xl text-text-2">{operation.description}</p>}
        {operation.parameters.length > 0 && (
          <p className="text-13">
            <span className="text-text-3">Parameters: </span>
            {operation.parameters
              .map(({ name, place, isRequired }) => `${name} (${place}${isRequired ? ', needed' : ''})`)
              .join(', ')}
          </p>
        )}
        <ul className="text-13">
          {operation.answers.map(({ status, text }) => (
            <li key={status}>
              <span className="tabular font-medium">{status}</span> <span className="text-text-2">{text}</span>
            </li>
          ))}
        </ul>
        <Command text={writeCurl(operation, location.origin)} label={`${operation.method} ${operation.path}`} />
      </div>
    </details>
  )
}
