/** Which hosted model a name means, how the gateway finds that out, and what it costs. */
import { useRights } from '../../app/rights.ts'
import { Page } from '../../ui/layout.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Mappings } from './mappings.tsx'
import { Prices } from './prices.tsx'
import { ResolveTester } from './resolve-tester.tsx'

export function ModelsPage() {
  const { may } = useRights()
  return (
    <Page title="Models" lead="Names that clients may ask for, the hosted models behind them, and their prices.">
      <Tabs
        label="Mappings, tester or prices"
        tabs={[
          ...(may('ops:operate')
            ? [
                { id: 'mappings', label: 'Mappings', content: () => <Mappings /> },
                { id: 'resolve', label: 'Resolve tester', content: () => <ResolveTester /> },
              ]
            : []),
          ...(may('billing:read') ? [{ id: 'prices', label: 'Prices', content: () => <Prices /> }] : []),
        ]}
      />
    </Page>
  )
}
