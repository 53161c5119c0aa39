import { readFileSync } from 'node:fs'
import { allRoutes, type RouteParts } from '../../src/app/all-routes.ts'
import { openApiDocument } from '../../src/foundation/http/openapi.ts'
import { countTokensRoutes } from '../../src/message-path/count-tokens.routes.ts'
import { messageRoutes } from '../../src/message-path/messages.routes.ts'
import { modelRoutes } from '../../src/message-path/models.routes.ts'
import { profileRoutes } from '../../src/message-path/profiles.routes.ts'

/** Routes are only described here, never called, so nothing behind them is needed. */
const nothing = {} as never

export function apiDescription(): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const parts: RouteParts = {
    version,
    whyNotReady: () => undefined,
    scrape: () => Promise.resolve(''),
    metricsToken: null,
    login: nothing,
    control: nothing,
    signIn: nothing,
    messageRoutes: [
      ...messageRoutes(() => {}),
      ...countTokensRoutes(() => {}),
      ...modelRoutes(nothing),
      ...profileRoutes(nothing),
    ],
  }
  return `${JSON.stringify(openApiDocument(allRoutes(parts), version), null, 2)}\n`
}
