/** A short explanation on hover and focus. Never the only place where something is said. */
import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export function Tooltip({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={250}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={8}
            className="appear z-50 max-w-72 rounded-6 bg-text-1 px-2 py-1 text-12 text-bg"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
