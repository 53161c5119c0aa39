/** Where somebody is signed in, and signing out: the same commands for oneself and for the people of an administrator. */
import { isId } from '../../client/find-record.ts'
import type { Arg, Leaf } from '../../command/command.ts'
import { type Context, change, printList } from '../../command/context.ts'
import { columnKit } from '../../output/columns.ts'
import { usageError } from '../../terminal/cli-error.ts'

export interface SessionsOf {
  /** The words of the command, such as `me sessions`. */
  readonly command: string
  /** The list of sessions, as the reference of the API writes it. */
  readonly route: string
  /** What names the person, if it is not oneself. */
  readonly whose: readonly Arg[]
  readonly example: string
  readonly find: (context: Context, reference: string | undefined) => Promise<{ path: string; name: string }>
}

export function sessionLeaves(of: SessionsOf): readonly Leaf[] {
  return [listLeaf(of), endLeaf(of), endAllLeaf(of)]
}

function listLeaf({ command, route, whose, example, find }: SessionsOf): Leaf {
  return {
    name: 'list',
    summary: 'list the open sessions: how, from where, last used, until when',
    kind: 'list',
    routes: [`GET ${route}`],
    args: whose,
    examples: [`${command} list${example}`],
    run: async (context, [reference]) => {
      const kit = columnKit(context.output)
      await printList(context, {
        path: (await find(context, reference)).path,
        columns: [
          kit.text('client'),
          kit.text('signed in with', 'signed_in_with'),
          kit.text('from', 'source_address'),
          kit.time('signed in', 'created_at'),
          kit.time('last used', 'last_used_at'),
          kit.time('expires', 'expires_at'),
          kit.flag('this one', 'current'),
          kit.id,
        ],
        empty: 'There is no open session.',
      })
    },
  }
}

function endLeaf({ command, route, whose, example, find }: SessionsOf): Leaf {
  return {
    name: 'end',
    summary: 'sign one session out, within 5 seconds',
    kind: 'destroy',
    routes: [`DELETE ${route}/{session_id}`],
    args: [...whose, { name: '<session>', text: `id of the session, from "${command} list"` }],
    examples: [`${command} end${example} 0190a000-0000-7000-8000-0000000000aa --yes`],
    run: async (context, args) => {
      const sessionId = args[whose.length]
      if (sessionId === undefined || !isId(sessionId))
        throw usageError(`"${sessionId}" is not the id of a session`, `see "causeway ${command} list"`)
      const { path, name } = await find(context, args[0])
      await change(context, {
        method: 'DELETE',
        path: `${path}/${sessionId}`,
        confirm: `Sign this session of ${name} out? Whatever uses it has to sign in again.`,
        done: () => 'The session is signed out.',
      })
    },
  }
}

function endAllLeaf({ command, route, whose, example, find }: SessionsOf): Leaf {
  return {
    name: 'end-all',
    summary: 'sign out everywhere, within 5 seconds; keys stay',
    kind: 'destroy',
    routes: [`DELETE ${route}`],
    args: whose,
    examples: [`${command} end-all${example} --yes`],
    run: async (context, [reference]) => {
      const { path, name } = await find(context, reference)
      await change(context, {
        method: 'DELETE',
        path,
        confirm: `Sign every session of ${name} out? Browsers, terminals and clients have to sign in again; keys stay.`,
        done: () => 'Signed out everywhere.',
      })
    },
  }
}
