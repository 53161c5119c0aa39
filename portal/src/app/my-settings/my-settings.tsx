/** What a person chooses for this browser, and who they are here. */
import { useId, useState } from 'react'
import { showError } from '../../api/queries.ts'
import { useMe, useSignOut } from '../../api/session.ts'
import { SessionsCard } from '../../modules/sign-in/sessions/sessions-card.tsx'
import { Button } from '../../ui/button.tsx'
import { Select, Toggle } from '../../ui/controls.tsx'
import { formatTime, zoneName } from '../../ui/format.ts'
import { Card, Facts, Page } from '../../ui/layout.tsx'
import { Nothing } from '../../ui/values.tsx'
import { isZone, setPreferences, type Theme, usePreferences } from '../preferences.ts'
import { grantLabels, listGrants } from '../rights.ts'

export function MySettingsPage() {
  const { theme, hasShortcuts } = usePreferences()
  return (
    <Page title="My settings" lead="Look, zone and keyboard are kept in this browser." isNarrow>
      <Card title="Look">
        <Select
          label="Theme"
          value={theme}
          choices={[
            { value: 'system', label: 'As the system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          onChange={(value) => setPreferences({ theme: value as Theme })}
        />
      </Card>
      <ZoneCard />
      <Card title="Keyboard">
        <Toggle
          label="Single-letter shortcuts"
          hint="“/” searches, “?” lists them all, “g” and a letter goes to a page. Ctrl K works in any case."
          isOn={hasShortcuts}
          onChange={(next) => setPreferences({ hasShortcuts: next })}
        />
      </Card>
      <AccountCard />
      <SessionsCard />
    </Page>
  )
}

function ZoneCard() {
  const { zone } = usePreferences()
  const [typed, setTyped] = useState(zone === 'local' ? '' : zone)
  const id = useId()
  const isWrong = typed !== '' && !isZone(typed)
  const change = (next: string): void => {
    setTyped(next)
    if (next === '') setPreferences({ zone: 'local' })
    else if (isZone(next)) setPreferences({ zone: next })
  }
  return (
    <Card title="Time zone" lead={`Now: ${formatTime(Date.now())}. Budgets always reset by UTC.`}>
      <label htmlFor={id} className="mb-1 block font-medium">
        Zone
      </label>
      <div className="flex flex-wrap items-center gap-2">
        <div className="w-full sm:w-80">
          <input
            id={id}
            list={`${id}-zones`}
            value={typed}
            placeholder={`${Intl.DateTimeFormat().resolvedOptions().timeZone} (this computer’s)`}
            onChange={(event) => change(event.target.value.trim())}
            aria-invalid={isWrong || undefined}
            aria-describedby={`${id}-note`}
            className="control"
          />
        </div>
        <Button onClick={() => change('UTC')}>UTC</Button>
        <Button onClick={() => change('')}>This computer’s</Button>
      </div>
      <datalist id={`${id}-zones`}>
        {Intl.supportedValuesOf('timeZone').map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <p id={`${id}-note`} role="status" className={`mt-1 text-12 ${isWrong ? 'text-bad' : 'text-text-3'}`}>
        {isWrong ? `There is no zone “${typed}”; times stay in ${zoneName()}.` : `Times are shown in ${zoneName()}.`}
      </p>
    </Card>
  )
}

const ways = {
  session: 'a session of this browser',
  jwt: 'a token of the identity provider',
  key: 'a virtual key',
} as const

function AccountCard() {
  const me = useMe()
  const signOut = useSignOut()
  return (
    <Card
      title="Account"
      actions={
        <Button tone="danger" onClick={() => void signOut().catch(showError)}>
          Sign out
        </Button>
      }
    >
      <Facts
        facts={[
          { name: 'Name', value: me.user?.subject ?? <Nothing /> },
          { name: 'E-mail', value: me.user?.email ?? <Nothing word="not known" /> },
          { name: 'Role', value: me.role === 'admin' ? 'Administrator' : 'Member' },
          ...(listGrants(me).length === 0 ? [] : [{ name: 'Grants', value: grantLabels(listGrants(me)) }]),
          { name: 'Team', value: me.team?.name ?? <Nothing /> },
          { name: 'Signed in with', value: ways[me.signed_in_with] },
        ]}
      />
    </Card>
  )
}
