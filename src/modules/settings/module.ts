/** Settings that administrators change while the gateway runs. */
import type { Core, Module } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { SettingPorts } from './setting-ports.ts'
import { settingRoutes } from './settings.routes.ts'

export function createSettings(core: Core): Module {
  return { routes: listSettingRoutes(core), loops: [] }
}

export function listSettingRoutes(ports: SettingPorts): readonly Route[] {
  return settingRoutes(ports)
}
