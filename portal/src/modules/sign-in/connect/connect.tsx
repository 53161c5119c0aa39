/** How a person's tools come to use this gateway: one command for each way, and a panel that shows when it worked. */
import { useMemo } from 'react'
import { ButtonLink } from '../../../ui/button.tsx'
import { Command } from '../../../ui/copy.tsx'
import { Card, Page } from '../../../ui/layout.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { LivePanel } from './live-panel.tsx'
import { likelyWay, type Way, waysFor } from './ways.ts'

export function ConnectPage() {
  const tabs = useMemo(() => {
    const first = likelyWay(navigator.userAgent)
    const ways = [...waysFor(location.origin)].sort((a, b) => Number(b.id === first) - Number(a.id === first))
    return ways.map((way) => ({ id: way.id, label: way.label, content: () => <WayCard way={way} /> }))
  }, [])
  return (
    <Page title="Connect" lead="Let Claude Code, an editor or a build server use your company’s models.">
      <LivePanel />
      <Tabs tabs={tabs} label="Way to connect" param="way" />
    </Page>
  )
}

function WayCard({ way }: { readonly way: Way }) {
  const Steps = way.hasChoice ? 'ul' : 'ol'
  const needsKey = way.steps.some(({ text }) => /CAUSEWAY_KEY|virtual key/.test(text))
  return (
    <>
      <Card title={way.label} lead={way.lead}>
        <Steps className="flex flex-col gap-4">
          {way.steps.map(({ title, text }, index) => (
            <li key={title} className="flex flex-col gap-1.5">
              <p className="font-medium">
                {way.steps.length > 1 && !way.hasChoice && <span className="mr-1.5 text-text-3">{index + 1}.</span>}
                {title}
              </p>
              <Command text={text} label={title} />
            </li>
          ))}
        </Steps>
        {needsKey && (
          <div className="mt-4">
            <ButtonLink to="/keys">Make a virtual key</ButtonLink>
          </div>
        )}
      </Card>
      {way.undo !== undefined && (
        <Card title="Undo" lead="Takes out what the command has written and puts the backup back.">
          <Command text={way.undo} label="Undo the setup" />
        </Card>
      )}
    </>
  )
}
