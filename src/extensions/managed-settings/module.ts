/** Managed settings: what Claude Code reads from the gateway, for everyone or for one team. */
import type { Core, Extension } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import { type ManagedSettingsPorts, managedSettingsRoutes } from './managed-settings.routes.ts'

export function createExtension(core: Core): Extension {
  return { routes: listRoutes({ ...core, findDatabase: core.link.find }), loops: [] }
}

export function listRoutes(ports: ManagedSettingsPorts): readonly Route[] {
  return managedSettingsRoutes(ports)
}
