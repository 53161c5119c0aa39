/** A person's own state at a glance. */
import { useMe } from '../../api/session.ts'
import { Page } from '../../ui/layout.tsx'

export function HomePage() {
  const me = useMe()
  return <Page title={`Hello, ${me.user?.subject ?? 'you'}`}>{null}</Page>
}
