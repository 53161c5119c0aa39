/** The only time a key is shown: the secret, how to use it, and a sign that turns green with its first request. */
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/controls.tsx'
import { Command } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Badge, Callout } from '../../ui/states.tsx'
import { Time } from '../../ui/values.tsx'
import { snippets } from './key-snippets.ts'
import type { NewKey, Owner } from './key-writes.ts'

const POLL_MS = 3000

export function KeySecret({
  made,
  owner,
  onClose,
}: {
  readonly made: NewKey
  readonly owner: Owner
  readonly onClose: () => void
}) {
  const [kind, setKind] = useState('shell')
  const snippet = snippets.find(({ id }) => id === kind) ?? snippets[0]
  return (
    <Dialog isOpen onClose={onClose} title={`“${made.name}” is ready`} size="wide">
      <div className="flex flex-col gap-4">
        <Callout tone="warn" title="Copy the secret now">
          It is stored only as a hash and cannot be shown again.
        </Callout>
        <Command label="the secret" text={made.key} isFirstPlace />
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3 className="font-medium">Use it</h3>
          <Select
            label="In"
            value={kind}
            choices={snippets.map(({ id, label }) => ({ value: id, label }))}
            onChange={setKind}
          />
        </div>
        {snippet !== undefined && <Command label={snippet.label} text={snippet.text(location.origin, made.key)} />}
        <FirstUse keyId={made.id} prefix={made.prefix} owner={owner} />
        <div>
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function FirstUse({
  keyId,
  prefix,
  owner,
}: {
  readonly keyId: string
  readonly prefix: string
  readonly owner: Owner
}) {
  const poll = { refetchInterval: POLL_MS }
  const init = { params: { query: { q: prefix, limit: 5 } } }
  const mine = useGet('/me/keys', init, { ...poll, enabled: owner === 'mine' })
  const all = useGet('/admin/keys', init, { ...poll, enabled: owner === 'all' })
  const usedAt = (owner === 'all' ? all : mine).data?.data.find(({ id }) => id === keyId)?.last_used_at ?? null
  return (
    <p role="status" className="flex items-center gap-2 text-text-2">
      {usedAt === null ? (
        <>
          <Badge>Waiting</Badge> The first request with this key shows up here.
        </>
      ) : (
        <>
          <Badge tone="ok">Works</Badge> First request <Time at={usedAt} />.
        </>
      )}
    </p>
  )
}
