/** Windows over the page: a dialog, a question before something that cannot be taken back, and a drawer at the side. */
import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { AlertDialog, Dialog as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { toApiError } from '../api/api-error.ts'
import { showError, useIsShown } from '../api/queries.ts'
import { useWindowFocus } from '../app/keyboard-place.ts'
import { Button, IconButton } from './button.tsx'
import { Failure } from './states.tsx'

interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly lead?: ReactNode
  readonly children: ReactNode
  readonly size?: 'small' | 'wide'
  /** Where closing costs what was typed behind the window: a key that is pressed by habit must not. */
  readonly ignoresEscape?: boolean
}

const overlay = 'appear fixed inset-0 z-40 bg-overlay'
const panel = 'appear fixed z-50 flex max-h-[100dvh] flex-col bg-surface text-text-1 shadow-float focus:outline-none'
const centred =
  'inset-x-0 bottom-0 rounded-t-12 sm:inset-x-auto sm:top-[10vh] sm:bottom-auto sm:left-1/2 sm:max-h-[80vh] sm:-translate-x-1/2 sm:rounded-12'

/** A click beside a window that misses something else must not cost what was typed, or a secret that is shown only once. */
const stay = (event: Event): void => event.preventDefault()

export function Dialog({ isOpen, onClose, title, lead, children, size = 'small', ignoresEscape = false }: DialogProps) {
  const focus = useWindowFocus()
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={overlay} />
        <Radix.Content
          {...(lead === undefined ? { 'aria-describedby': undefined } : {})}
          {...focus}
          onPointerDownOutside={stay}
          {...(ignoresEscape ? { onEscapeKeyDown: stay } : {})}
          className={clsx(panel, centred, size === 'wide' ? 'sm:w-[720px]' : 'sm:w-[480px]', 'sm:max-w-[94vw]')}
        >
          <Head title={title} lead={lead} />
          <div className="min-h-0 overflow-y-auto px-5 pb-5">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface DrawerProps extends Omit<DialogProps, 'size' | 'ignoresEscape'> {
  /** With a form or a secret in it, which a click beside it would take away. */
  readonly staysOpen?: boolean
}

/** At the right edge: for the details of a row, while the list stays in sight. */
export function Drawer({ isOpen, onClose, title, lead, children, staysOpen = false }: DrawerProps) {
  const focus = useWindowFocus()
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={overlay} />
        <Radix.Content
          {...(lead === undefined ? { 'aria-describedby': undefined } : {})}
          {...focus}
          {...(staysOpen ? { onPointerDownOutside: stay } : {})}
          className={clsx(panel, 'inset-y-0 right-0 w-full sm:w-[560px] sm:max-w-[94vw]')}
        >
          <Head title={title} lead={lead} />
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-6">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Head({ title, lead }: { readonly title: string; readonly lead?: ReactNode }) {
  return (
    <div className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
      <div className="min-w-0">
        <Radix.Title className="text-16 font-semibold [overflow-wrap:anywhere]">{title}</Radix.Title>
        {lead !== undefined && <Radix.Description className="mt-0.5 text-text-2">{lead}</Radix.Description>}
      </div>
      <Radix.Close asChild>
        <IconButton icon={X} label="Close" />
      </Radix.Close>
    </div>
  )
}

interface ConfirmProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** A question: "Revoke this key?" */
  readonly title: string
  /** What it does, in numbers where there are some. */
  readonly children: ReactNode
  /** The verb: "Revoke". */
  readonly action: string
  readonly isDangerous?: boolean
  /** Closes the question when it succeeds; stays open with the error when it does not. */
  readonly onConfirm: () => Promise<unknown>
}

export function Confirm({ isOpen, onClose, title, children, action, isDangerous = true, onConfirm }: ConfirmProps) {
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const focus = useWindowFocus()
  const isShown = useIsShown()
  const close = (): void => {
    setError(undefined)
    onClose()
  }
  const confirm = async (): Promise<void> => {
    setIsBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      close()
    } catch (failure) {
      if (isShown.current) setError(toApiError(failure))
      // Left with the page, by "back": nobody would hear of it.
      else showError(failure)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(next) => !next && !isBusy && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlay} />
        <AlertDialog.Content {...focus} className={clsx(panel, centred, 'p-5 sm:w-[440px] sm:max-w-[94vw]')}>
          <AlertDialog.Title className="text-16 font-semibold [overflow-wrap:anywhere]">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-1.5 text-text-2 [overflow-wrap:anywhere]">{children}</div>
          </AlertDialog.Description>
          {error !== undefined && (
            <div className="mt-3">
              <Failure error={error} title="That did not work" />
            </div>
          )}
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <Button tone={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} onClick={() => void confirm()}>
              {action}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
