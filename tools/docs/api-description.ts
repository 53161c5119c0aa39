import { readFileSync } from 'node:fs'
import { countTokensRoutes } from '../../src/data-plane/count-tokens.routes.ts'
import { messageRoutes } from '../../src/data-plane/messages.routes.ts'
import { modelRoutes } from '../../src/data-plane/models.routes.ts'
import { profileRoutes } from '../../src/data-plane/profiles.routes.ts'
import { openApiDocument } from '../../src/http/openapi.ts'
import { allRoutes, type RouteParts } from '../../src/wiring/all-routes.ts'

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
