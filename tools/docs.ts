/** Writes the reference pages that are made from the code. `--check` only compares and fails when one is stale. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { generateApiTypes } from '../portal/generate-api-types.ts'
import { apiDescription } from './docs/api-description.ts'
import { cliPage } from './docs/cli-page.ts'
import { configurationPage } from './docs/configuration-page.ts'
import { errorsPage } from './docs/errors-page.ts'
import { metricsPage } from './docs/metrics-page.ts'
import { dashboardPage } from './observability/dashboard.ts'

export const generatedPages: Readonly<Record<string, () => string | Promise<string>>> = {
  'deploy/observability/grafana-dashboard.json': dashboardPage,
  'docs/cli.md': cliPage,
  'docs/configuration.md': configurationPage,
  'docs/errors.md': errorsPage,
  'docs/metrics.md': metricsPage,
  'docs/openapi.json': apiDescription,
  'portal/src/api/schema.ts': async () => generateApiTypes(await apiDescription()),
}

async function main(): Promise<void> {
  const stale: string[] = []
  for (const [file, make] of Object.entries(generatedPages)) {
    const text = await make()
    if (process.argv.includes('--check')) {
      if (readText(file) !== text) stale.push(file)
      continue
    }
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`wrote ${file}`)
  }
  if (stale.length > 0) {
    console.error(`stale: ${stale.join(', ')}. Run "npm run docs".`)
    process.exitCode = 1
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

if (import.meta.main) await main()
