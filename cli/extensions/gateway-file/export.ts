/** `causeway export`: the configuration of a gateway as a file that can be kept under version control. */
import type { Leaf } from '../../command/command.ts'

export const exportCommand: Leaf = {
  name: 'export',
  summary: 'write the configuration as YAML',
  kind: 'plain',
  options: [
    { flags: '-f, --file <path>', text: 'write to a file instead of standard output' },
    { flags: '--json', text: 'JSON instead of YAML' },
  ],
  about:
    'Holds settings, managed settings, the search provider of everybody, endpoints with AIP and beta overrides, teams with\nbudgets, routing and managed settings, budgets of people, mappings, prices, identity providers and the notification\ndestination, of a webhook only its origin. Secrets, keys and people are not in it: people come from the identity provider, by sign-in or SCIM.',
  examples: ['export > gateway.yaml', 'export -f gateway.yaml'],
  run: async (context, _args, values) => {
    const { readGateway } = await import('./read-gateway.ts')
    const { withoutSecrets } = await import('./without-secrets.ts')
    const document = withoutSecrets(await readGateway(await context.client()))
    const text =
      values['json'] === true ? `${JSON.stringify(document, null, 2)}\n` : (await import('yaml')).stringify(document)
    if (values['file'] === undefined) return context.io.out(text)
    await (await import('node:fs/promises')).writeFile(values['file'], text)
    context.io.err(`Wrote ${values['file']}.\n`)
  },
}
