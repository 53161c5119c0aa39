/**
 * Where files lie that are read or started by name. `dist` repeats the paths of the project, so one path names the same
 * file in a checkout and in a build, where this code itself is in a bundle of another folder.
 */
import { existsSync } from 'node:fs'
import { extname } from 'node:path'

const root = findRoot(new URL('./', import.meta.url))

/** The path starts at the root of the project: `portal/dist/`. */
export function projectFile(path: string): URL {
  return new URL(path, root)
}

/** A program of ours, named without its ending: a build holds compiled ones. */
export function projectProgram(name: string): URL {
  return projectFile(`${name}${extname(import.meta.filename)}`)
}

/** The nearest folder with a manifest: the root of the checkout, or `dist`. */
function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder
  const parent = new URL('../', folder)
  if (parent.href === folder.href) throw new Error(`no package.json at or above ${import.meta.url}`)
  return findRoot(parent)
}
