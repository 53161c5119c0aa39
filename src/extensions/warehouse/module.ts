/** Warehouse: the spend log as Parquet files, for queries of finance and data teams. */
import path from 'node:path'
import type { Core, Extension } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import { createBucket } from './bucket.ts'
import type { Destination } from './destination.ts'
import { createFolder } from './folder.ts'
import { type WarehousePorts, warehouseRoutes } from './warehouse.routes.ts'
import { toPlace } from './warehouse-place.ts'
import { createWarehouseWriter } from './write-files.loop.ts'

interface Settings {
  readonly warehouseUrl: string | null
  readonly region: string
  readonly dataDir: string
  readonly awsEndpointUrl: string | null
  readonly awsEndpointUrlS3: string | null
}

export function createExtension(core: Core, { config }: { readonly config: Settings }): Extension {
  const { warehouseUrl } = config
  const routes = listRoutes({ ...core, warehouseUrl })
  if (warehouseUrl === null) return { routes, loops: [] }
  const { link, instanceId, log } = core
  const destination = openDestination(warehouseUrl, config, instanceId)
  const writer = createWarehouseWriter({ findDatabase: link.find, destination, instanceId, log })
  return { routes, loops: [writer.loop], stop: async () => destination.close() }
}

function openDestination(url: string, config: Settings, instanceId: string): Destination {
  const place = toPlace(url, config.region)
  if (place.kind === 'folder') return createFolder(place.folder, instanceId)
  const temporaryFolder = path.join(config.dataDir, 'warehouse')
  const hasOwnEndpoint = config.awsEndpointUrl !== null || config.awsEndpointUrlS3 !== null
  return createBucket({ place, temporaryFolder, instanceId, hasOwnEndpoint })
}

export function listRoutes(ports: WarehousePorts): readonly Route[] {
  return warehouseRoutes(ports)
}
