/** Saved views: each user names views of reports and of the request log, and opens them again. */
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { ownViewRoutes } from './own-views.routes.ts'

export function createSavedViews(ports: RoutePorts) {
  return { routes: ownViewRoutes(ports), loops: [] }
}
