/** Over the page when the session is over, or is about to be: signing in again keeps what was typed behind it. */
import { useEffect, useRef } from 'react'
import { useGet } from '../../api/queries.ts'
import { type Me, useSession } from '../../api/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { QueryView } from '../../ui/states.tsx'
import { SignInWays } from './sign-in-ways.tsx'

export function SessionEnded({
  me,
  hasEnded,
  onDecline,
}: {
  readonly me: Me
  readonly hasEnded: boolean
  readonly onDecline: () => void
}) {
  const providers = useGet('/auth/providers')
  const session = useSession()
  const before = useRef(me.user?.id)
  useEffect(() => {
    // Somebody else must not see what the first person had on the screen.
    if (session.kind === 'signed-in' && !session.hasEnded && session.me.user?.id !== before.current) location.reload()
  }, [session])
  return (
    <Dialog
      isOpen
      onClose={hasEnded ? () => location.replace('/portal') : onDecline}
      title={hasEnded ? 'Your session has ended' : 'Your session is about to end'}
      lead="Sign in again to go on. What you typed is still there."
    >
      <QueryView query={providers}>{(data) => <SignInWays ways={data} isInNewTab />}</QueryView>
    </Dialog>
  )
}
