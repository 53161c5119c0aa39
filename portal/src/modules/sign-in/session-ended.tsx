/** Over the page when the session is over, or is about to be: signing in again keeps what was typed behind it. */
import { useGet } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { QueryView } from '../../ui/states.tsx'
import { SignInWays } from './sign-in-ways.tsx'

export function SessionEnded({ hasEnded, onDecline }: { readonly hasEnded: boolean; readonly onDecline: () => void }) {
  const providers = useGet('/auth/providers')
  // Opened without a way to sign in, the keyboard would stand on the button that closes it, and Enter would drop what was typed.
  if (providers.isPending) return null
  return (
    <Dialog
      isOpen
      // To the sign-in at the same address, which leads back to this page.
      onClose={hasEnded ? () => location.reload() : onDecline}
      ignoresEscape={hasEnded}
      title={hasEnded ? 'Your session has ended' : 'Your session is about to end'}
      lead="Sign in again to go on. What you typed is still there."
    >
      <QueryView query={providers}>{(data) => <SignInWays ways={data} isInNewTab />}</QueryView>
    </Dialog>
  )
}
