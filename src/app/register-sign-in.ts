/** Every route of signing in with a browser, of the client's own sign-in, and of what a signed-in client is given. */

import {
  type ManagedSettingsPorts,
  managedSettingsRoutes,
} from '../extensions/managed-settings/managed-settings.routes.ts'
import { portalRoutes } from '../foundation/http/portal.routes.ts'
import type { Route } from '../foundation/http/route.ts'
import { type DevicePorts, deviceRoutes } from '../modules/sign-in/device/device.routes.ts'
import { type GatewayFacePorts, gatewayFaceRoutes } from '../modules/sign-in/device/gateway-face.routes.ts'
import { type RevokePorts, revokeRoute } from '../modules/sign-in/device/revoke.route.ts'
import { type CliLoginPorts, cliLoginRoutes } from '../modules/sign-in/login/cli-login.routes.ts'
import { type SetupPorts, setupRoutes } from '../modules/sign-in/login/setup.routes.ts'
import { type SsoPorts, ssoRoutes } from '../modules/sign-in/login/sso.routes.ts'

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
