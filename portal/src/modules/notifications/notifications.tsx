/** Where the gateway tells about budgets, limits and keys: a draft is tried before it becomes active. */
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import { useRights } from '../../app/rights.ts'
import { useSlot } from '../../app/slot.tsx'
import { Button } from '../../ui/button.tsx'
import { Toggle } from '../../ui/controls.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { formatDurationMs } from '../../ui/format.ts'
import { Card, Columns, Facts, Page } from '../../ui/layout.tsx'
import { Badge, Callout, QueryView } from '../../ui/states.tsx'
import { Time } from '../../ui/values.tsx'
import { categories, toldWords } from './categories.ts'
import { Deliveries } from './deliveries.tsx'
import { configPath, type NotificationConfig, shortenDestination } from './destination.ts'
import { DraftForm } from './draft-form.tsx'
import { PayloadPreview } from './payload-preview.tsx'
import { notificationCards } from './slots.ts'
import { useSwitchCategory } from './use-categories.ts'

export function NotificationsPage() {
  const { isAdmin } = useRights()
  const cards = useSlot(notificationCards)
  const config = useGet('/admin/notifications/config', undefined, { refetchInterval: 30_000 })
  return (
    <Page
      title="Notifications"
      lead="Budgets that are used up, limits that are hit and keys that end, told to a webhook, a topic or an event bus."
    >
      <QueryView query={config} rows={6}>
        {(now) => (
          <>
            <Columns min={380}>
              <Active config={now} />
              <Draft config={now} />
            </Columns>
            {isAdmin && cards.map(({ facts, Part }) => <Part key={facts.category} active={now.active} />)}
            <PayloadPreview />
            <Deliveries history={now.history} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

function Active({ config: { active, env_fallback: fallback } }: { readonly config: NotificationConfig }) {
  const [isLeaving, setIsLeaving] = useState(false)
  const cards = useSlot(notificationCards)
  const ownSwitches = categories.filter(({ name }) => cards.every(({ facts }) => facts.category !== name))
  const { isAdmin } = useRights()
  const switchCategory = useSwitchCategory()
  const deactivate = useWrite(() => api.delete('/admin/notifications/config'), {
    refreshes: configPath,
    done: 'Nobody is told any more.',
    showsErrors: true,
  })
  if (active === null)
    return (
      <Card title="Active">
        {fallback === null ? (
          <p className="text-text-2">
            Nobody is told. {isAdmin ? 'Write a draft, test it, and activate it.' : 'An administrator can change that.'}
          </p>
        ) : (
          <Callout tone="info" title="The environment’s destination is used">
            {shortenDestination(fallback)}. An active destination of yours replaces it.
          </Callout>
        )}
      </Card>
    )
  return (
    <Card
      title="Active"
      actions={
        isAdmin && (
          <Button tone="danger" onClick={() => setIsLeaving(true)}>
            Deactivate
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            { name: 'Goes to', value: shortenDestination(active) },
            { name: 'Signed', value: active.has_secret ? 'yes, with the stored secret' : 'no' },
            {
              name: 'Since',
              value: (
                <>
                  <Time at={active.updated_at} isExact /> by {active.updated_by}
                </>
              ),
            },
          ]}
        />
        {isAdmin ? (
          ownSwitches.map(({ name, label, hint }) => (
            <Toggle
              key={name}
              label={label}
              hint={hint}
              isOn={active.categories[name]}
              isBusy={switchCategory.isPending}
              onChange={(isOn) => switchCategory.mutate({ [name]: isOn })}
            />
          ))
        ) : (
          <p className="text-text-2">{toldWords(active.categories)}</p>
        )}
      </div>
      <Confirm
        isOpen={isLeaving}
        onClose={() => setIsLeaving(false)}
        title="Deactivate notifications?"
        action="Deactivate"
        onConfirm={() => deactivate.mutateAsync(undefined)}
      >
        Nobody is told about budgets, limits and keys
        {fallback === null ? '' : ', except through the environment’s destination'}. What waits for delivery is not
        sent.
      </Confirm>
    </Card>
  )
}

function Draft({ config: { draft } }: { readonly config: NotificationConfig }) {
  const [isEditing, setIsEditing] = useState(false)
  const { isAdmin } = useRights()
  const test = useWrite(() => api.post('/admin/notifications/test'), { refreshes: configPath })
  const activate = useWrite(() => api.post('/admin/notifications/activate'), {
    refreshes: configPath,
    done: 'The draft is active now.',
    onDone: () => test.reset(),
  })
  const discard = useWrite(() => api.delete('/admin/notifications/draft'), {
    refreshes: configPath,
    done: 'The draft is gone.',
    onDone: () => test.reset(),
  })
  if (draft === null && !isAdmin)
    return (
      <Card title="Draft">
        <p className="text-text-2">There is none. A draft is what a test is sent to.</p>
      </Card>
    )
  if (draft === null || isEditing)
    return <DraftForm draft={draft} onSaved={() => test.reset()} onDone={() => setIsEditing(false)} />
  const isTested = draft.tested_at !== null
  return (
    <Card title="Draft" lead="Not in use yet: test it, then activate it.">
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            { name: 'Goes to', value: shortenDestination(draft) },
            {
              name: 'Tested',
              value: isTested ? <Badge tone="ok">Delivered</Badge> : <Badge tone="warn">Not yet</Badge>,
            },
          ]}
        />
        {test.data !== undefined && (
          <Callout
            tone={test.data.success ? 'ok' : 'bad'}
            title={test.data.success ? 'The test was delivered' : 'The test was not delivered'}
          >
            {test.data.response_status !== null && `Answer ${test.data.response_status} `}after{' '}
            {formatDurationMs(test.data.duration_ms)}. {test.data.error}
          </Callout>
        )}
        <div className="flex flex-wrap gap-2">
          <Button tone={isTested ? 'plain' : 'primary'} isBusy={test.isPending} onClick={() => test.mutate(undefined)}>
            Send a test
          </Button>
          {isAdmin && (
            <>
              <Button
                tone={isTested ? 'primary' : 'plain'}
                isBusy={activate.isPending}
                disabled={!isTested}
                onClick={() => activate.mutate(undefined)}
              >
                Activate
              </Button>
              <Button onClick={() => setIsEditing(true)}>Change</Button>
              <Button tone="quiet" isBusy={discard.isPending} onClick={() => discard.mutate(undefined)}>
                Discard
              </Button>
            </>
          )}
        </div>
        {!isTested && (
          <p className="text-12 text-text-3">
            A draft can be activated after a test of exactly this draft was delivered.
          </p>
        )}
      </div>
    </Card>
  )
}
