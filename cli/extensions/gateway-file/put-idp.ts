/** Stores an identity provider. Its client secret has no place in a file: it is kept, or stored once the provider is there. */
import type { Client } from '../../client/http-client.ts'
import type { Row } from '../../output/render.ts'
import { shellWord } from '../../output/shell-word.ts'
import { CliError } from '../../terminal/cli-error.ts'
import type { Step } from './plan.ts'

const PATH = '/admin/idps'

export async function putIdp(client: Client, findId: () => Promise<string>, step: Step): Promise<void> {
  const secret = step.changes.find(({ field }) => field === 'has_client_secret')
  if (step.action === 'create') {
    const { has_client_secret: _, ...fields } = step.resource.fields
    await client.send('POST', PATH, { name: step.name, ...fields })
  } else {
    const changed: Row = Object.fromEntries(
      step.changes.filter((change) => change !== secret).map(({ field, to }) => [field, to]),
    )
    if (secret?.to === null) changed.client_secret = null
    if (Object.keys(changed).length > 0) await client.send('PATCH', `${PATH}/${await findId()}`, changed)
  }
  if (secret?.to === true)
    throw new CliError(
      `the client secret of "${step.name}" has no place in a file; store it with "causeway idps update ${shellWord(step.name)} --client-secret-file <path>" and apply the file again`,
      { exit: 'checkFailed' },
    )
}
