/** Copies of the repository from which extensions are removed, each in one way: its folders, and its line in each list. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

interface Part {
  readonly folders: string
  /** One line for each folder. */
  readonly list: string
}

const parts: readonly Part[] = [
  { folders: 'src/extensions', list: 'src/app/extensions.ts' },
  { folders: 'cli/extensions', list: 'cli/app/extensions.ts' },
  { folders: 'portal/src/extensions', list: 'portal/src/app/extensions.ts' },
]
/** Nothing lists what is in these. */
const testFolders = ['test', 'test/system']

const foldersIn = (parent: string): readonly string[] => globSync(`${parent}/*/`).map((folder) => path.basename(folder))

/** Of the gateway, and those that only the command line or only the portal has. */
export const extensionNames: readonly string[] = [
  ...new Set(parts.flatMap(({ folders }) => foldersIn(folders))),
].toSorted()

/** What git knows or would add, with the packages that are installed here. */
export function copyTree(target: string): void {
  const known = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  })
  for (const file of known.split('\0').filter((name) => name !== '' && existsSync(name))) {
    mkdirSync(path.join(target, path.dirname(file)), { recursive: true })
    copyFileSync(file, path.join(target, file))
  }
  for (const packages of globSync(['node_modules', '*/node_modules']))
    symlinkSync(path.resolve(packages), path.join(target, packages))
}

export function removeExtension(root: string, name: string): void {
  for (const { folders, list } of parts) {
    const file = path.join(root, list)
    const lines = readFileSync(file, 'utf8').split('\n')
    const others = lines.filter((line) => !line.includes(`/extensions/${name}/`))
    const folder = path.join(root, folders, name)
    assert.equal(lines.length - others.length, existsSync(folder) ? 1 : 0, `lines of ${name} in ${list}`)
    writeFileSync(file, others.join('\n'))
    rmSync(folder, { recursive: true, force: true })
  }
  for (const parent of testFolders) rmSync(path.join(root, parent, name), { recursive: true, force: true })
}
