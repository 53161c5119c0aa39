/** The package as it is published, packed and unpacked into a folder of its own where Node strips no types. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Unpacked {
  /** Whoever asked for it removes it. */
  readonly folder: string
  readonly entry: string
}

export async function unpackPackage(): Promise<Unpacked> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-packed-'))
  // Postgres of the demo runs under another account when the test runs as root.
  await chmod(folder, 0o755)
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
    maxBuffer: 64 * 1024 * 1024,
  })
  const modules = join(folder, 'app', 'node_modules')
  await mkdir(join(modules, 'causeway'), { recursive: true })
  await run('tar', [
    'xzf',
    join(folder, stdout.trim().split('\n').at(-1) ?? ''),
    '-C',
    join(modules, 'causeway'),
    '--strip-components=1',
  ])
  // The dependencies that are installed already, so that the test needs no network.
  const installed = resolve('node_modules')
  for (const name of await readdir(installed))
    if (!name.startsWith('.')) await symlink(join(installed, name), join(modules, name))
  return { folder, entry: join(modules, 'causeway', 'bin', 'causeway.js') }
}
