/** Every route of signing in with a browser, of the client's own sign-in, and of what a signed-in client is given. */
import type { Route } from '../http/route.ts'
import { type DevicePorts, deviceRoutes } from './device/device.routes.ts'
import { type GatewayFacePorts, gatewayFaceRoutes } from './device/gateway-face.routes.ts'
import { type RevokePorts, revokeRoute } from './device/revoke.route.ts'
import { type CliLoginPorts, cliLoginRoutes } from './login/cli-login.routes.ts'
import { type SetupPorts, setupRoutes } from './login/setup.routes.ts'
import { type SsoPorts, ssoRoutes } from './login/sso.routes.ts'
import { type ManagedSettingsPorts, managedSettingsRoutes } from './managed-settings/managed-settings.routes.ts'
import { portalRoutes } from './portal/portal.routes.ts'

export type SignInPorts = SsoPorts &
  CliLoginPorts &
  SetupPorts &
  DevicePorts &
  RevokePorts &
  GatewayFacePorts &
  ManagedSettingsPorts

export function signInRoutes(ports: SignInPorts): Route[] {
  return [
    ...ssoRoutes(ports),
    ...portalRoutes(),
    ...cliLoginRoutes(ports),
    ...setupRoutes(ports),
    ...deviceRoutes(ports),
    revokeRoute(ports),
    ...gatewayFaceRoutes(ports),
    ...managedSettingsRoutes(ports),
  ]
}
