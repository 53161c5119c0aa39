/** The shortest way to a working client. */
import { ButtonLink } from '../../ui/button.tsx'
import { Command } from '../../ui/copy.tsx'
import { Card } from '../../ui/layout.tsx'

export function ConnectCard() {
  const isWindows = /windows/i.test(navigator.userAgent)
  const text = isWindows ? `irm ${location.origin}/setup.ps1 | iex` : `curl -fsSL ${location.origin}/setup | sh`
  return (
    <Card
      title="Connect Claude Code"
      lead="One command on your own machine; it signs you in and tries it out."
      actions={<ButtonLink to="/connect">Other ways</ButtonLink>}
    >
      <Command text={text} label={isWindows ? 'Setup for Windows' : 'Setup for macOS and Linux'} />
    </Card>
  )
}
