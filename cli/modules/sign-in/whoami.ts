/** `causeway whoami`: who the gateway takes you for. */
import type { Leaf } from '../../command/command.ts'
import { printRecord } from '../../command/context.ts'
import { columnKit } from '../../output/columns.ts'

export const whoami: Leaf = {
  name: 'whoami',
  summary: 'say who you are to the gateway',
  kind: 'read',
  examples: ['whoami', 'whoami --json'],
  run: async (context) => {
    const { url, profile, tokenFrom } = await context.connection()
    const kit = columnKit(context.output)
    const who = await (await context.client()).get('/auth/me')
    await printRecord(context, who, [
      { name: 'gateway', value: () => url },
      { name: 'token from', value: () => (tokenFrom === 'profile' ? `profile ${profile}` : 'CAUSEWAY_TOKEN') },
      kit.text('user', 'user.subject'),
      kit.text('role'),
      kit.list('grants', 'grants'),
      kit.text('team', 'team.name'),
      kit.text('signed in with', 'signed_in_with'),
      kit.text('key', 'key.name'),
    ])
  },
}
