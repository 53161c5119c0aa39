/** Something for all keys that are chosen in the table. */
import { useState } from 'react'
import { useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { writeEach } from '../../ui/write-each.ts'
import { type Key, keyPaths, type Owner, revokeKey } from './key-writes.ts'

export function BulkKeys({
  keys,
  owner,
  onDone,
}: {
  readonly keys: readonly Key[]
  readonly owner: Owner
  readonly onDone: () => void
}) {
  const [isAsking, setIsAsking] = useState(false)
  const active = keys.filter((key) => key.status === 'active')
  const used = active.filter((key) => key.last_used_at !== null).length
  const count = active.length === 1 ? '1 key' : `${active.length} keys`
  const revoke = useWrite(() => writeEach(active, (key) => revokeKey(owner, key.id)), {
    refreshes: keyPaths,
    done: `${count} revoked.`,
    onDone,
    showsErrors: true,
    isPartial: true,
  })
  return (
    <>
      <Button tone="danger" disabled={active.length === 0} onClick={() => setIsAsking(true)}>
        Revoke
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Revoke ${count}?`}
        action="Revoke"
        onConfirm={() => revoke.mutateAsync(undefined)}
      >
        {usageText(active.length, used)} Whatever uses {active.length === 1 ? 'it' : 'them'} is refused at once, on
        every instance within five seconds. This cannot be undone.
      </Confirm>
    </>
  )
}

function usageText(count: number, used: number): string {
  if (count === 1) return used === 0 ? 'It was never used.' : 'It has been used.'
  if (used === 0) return 'None of them was ever used.'
  return used === 1 ? '1 of them has been used.' : `${used} of them have been used.`
}
