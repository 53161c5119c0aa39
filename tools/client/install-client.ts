/** Puts a release of the client where it can be run: from npm, into the temporary folder of the system, never into the project. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PACKAGE = '@anthropic-ai/claude-code'

export interface Client {
  readonly version: string
  readonly program: string
}

/** `wanted` is a version, or a tag such as `latest`. A version that was installed before is not fetched again. */
export function installClient(wanted: string): Client {
  const version = execFileSync('npm', ['view', `${PACKAGE}@${wanted}`, 'version', '--json'], { encoding: 'utf8' })
    .replace(/[\s"]/g, '')
    .trim()
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`npm knows no single release of the client called ${wanted}`)
  const folder = join(tmpdir(), 'causeway-client', version)
  const program = join(folder, 'node_modules', '.bin', 'claude')
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true })
    // Its script only puts the program of this platform into its place.
    const allowed = { [PACKAGE]: true }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts: allowed }))
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `${PACKAGE}@${version}`], {
      cwd: folder,
      stdio: 'ignore',
    })
  }
  return { version, program }
}
