/** The list of pages over a small screen; loaded when it is first opened. */
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { Me } from '../api/session.ts'
import { IconButton } from '../ui/button.tsx'
import { Account } from './account.tsx'
import { useWindowFocus } from './keyboard-place.ts'
import { Brand, PageList } from './navigation.tsx'

export function MobileList({ me, onClose }: { readonly me: Me; readonly onClose: () => void }) {
  const focus = useWindowFocus()
  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="appear fixed inset-0 z-40 bg-overlay" />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="appear fixed inset-y-0 left-0 z-50 flex w-64 max-w-[85vw] flex-col bg-surface shadow-float"
        >
          <Dialog.Title className="sr-only">Pages</Dialog.Title>
          <div className="flex items-center justify-between pr-2">
            <Brand />
            <Dialog.Close asChild>
              <IconButton icon={X} label="Close the list of pages" />
            </Dialog.Close>
          </div>
          <PageList me={me} onChoose={onClose} />
          <Account me={me} onChoose={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
