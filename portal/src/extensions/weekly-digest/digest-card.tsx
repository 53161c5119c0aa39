/** The weekly digest: whether it is sent, when, and what it would say of the last week. */
import { Link } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { digestCategory } from '../../modules/notifications/categories.ts'
import type { NotificationConfig } from '../../modules/notifications/destination.ts'
import { useSwitchCategory } from '../../modules/notifications/use-categories.ts'
import { Toggle } from '../../ui/controls.tsx'
import { formatTime } from '../../ui/format.ts'
import { Card } from '../../ui/layout.tsx'
import { QueryView } from '../../ui/states.tsx'

export function DigestCard({ active }: Pick<NotificationConfig, 'active'>) {
  const digest = useGet('/admin/notifications/digest')
  const switchCategory = useSwitchCategory()
  return (
    <Card title="Weekly digest" lead="The preview has the last whole week, as it would be sent.">
      <div className="flex flex-col gap-4">
        {active === null ? (
          <p className="text-text-2">It needs an active destination, where it can then be switched on.</p>
        ) : (
          <Toggle
            label="Send the weekly digest"
            hint={digestCategory.hint}
            isOn={active.categories.digest}
            isBusy={switchCategory.isPending}
            onChange={(isOn) => switchCategory.mutate({ digest: isOn })}
          />
        )}
        <QueryView query={digest} rows={8}>
          {({ next_at: nextAt, payload: { detail } }) => (
            <>
              <p className="text-text-2">
                {active?.categories.digest === true ? `Sent next ${formatTime(nextAt)}.` : 'Not sent while it is off.'}{' '}
                The week and the hour are those of {detail.tz}, which{' '}
                <Link to="/settings" className="text-accent underline">
                  Settings
                </Link>{' '}
                can change.
              </p>
              <section
                aria-label="Preview of the digest"
                className="rounded-8 border border-line bg-sunken px-3 py-2.5 text-13 whitespace-pre-wrap [overflow-wrap:anywhere]"
              >
                {detail.text}
              </section>
            </>
          )}
        </QueryView>
      </div>
    </Card>
  )
}
