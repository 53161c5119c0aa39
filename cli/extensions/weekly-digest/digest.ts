/** `causeway notifications digest`: what the weekly digest says. */
import type { Leaf } from '../../command/command.ts'
import { isForPeople, printValues } from '../../output/render.ts'
import { harmless } from '../../output/table.ts'

export const digest: Leaf = {
  name: 'digest',
  summary: 'show what the weekly digest says of the last whole week',
  kind: 'read',
  routes: ['GET /admin/notifications/digest'],
  about:
    'Nothing is sent by this. The week is Monday to Sunday of the setting digest_time_zone; the digest is sent on Monday at 08:00 while the category digest is on.',
  examples: ['notifications digest', 'notifications digest -o json'],
  run: async (context) => {
    const answer = await (await context.client()).get('/admin/notifications/digest')
    if (!isForPeople(context.output.format)) return printValues(context.output, answer)
    const lines: readonly string[] = answer.payload.detail.text.split('\n')
    context.io.out(`${lines.map(harmless).join('\n')}\n`)
    context.io.err(
      answer.is_on
        ? `Sent next at ${answer.next_at}.\n`
        : 'It is switched off. To have it sent: causeway notifications categories --digest true\n',
    )
  },
}
