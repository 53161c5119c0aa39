/** A folder of this machine or a mounted one. */
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Destination } from './destination.ts'

export function createFolder(root: string, instanceId: string): Destination {
  /** Readers skip names that begin with a dot. Two instances never write to the same one. */
  const toTemporary = (name: string): string => `.${name}.${instanceId}`

  const prepare: Destination['prepare'] = async (folder, name) => {
    const home = path.join(root, folder)
    await mkdir(home, { recursive: true })
    for (const found of await readdir(home))
      if (found.startsWith(`.${name}.`)) await rm(path.join(home, found), { force: true })
    return path.join(home, toTemporary(name))
  }

  const publish: Destination['publish'] = async (from, folder, name) => {
    const home = path.join(root, folder)
    await rename(from, path.join(home, name))
    await syncFolder(home)
  }

  return {
    prepare,
    publish,
    publishText: async (text, folder, name) => {
      const temporary = await prepare(folder, name)
      const handle = await open(temporary, 'w')
      try {
        await handle.writeFile(text)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await publish(temporary, folder, name)
    },
    close: () => undefined,
  }
}

/** A new name survives a power cut only when its folder was synced too. */
async function syncFolder(home: string): Promise<void> {
  const handle = await open(home, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
