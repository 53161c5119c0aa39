/** Over the page when the session is over: signing in again keeps what was typed behind it. */
import { useEffect, useRef } from 'react'
import { useGet } from '../../api/queries.ts'
import { type Me, useSession } from '../../api/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { QueryView } from '../../ui/states.tsx'
import { SignInWays } from './sign-in-ways.tsx'

export function SessionEnded({ me }: { readonly me: Me }) {
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
      onClose={() => location.replace('/portal')}
      title="Your session has ended"
      lead="Sign in again to go on. What you typed is still there."
    >
      <QueryView query={providers}>{(data) => <SignInWays ways={data} isInNewTab />}</QueryView>
    </Dialog>
  )
}
