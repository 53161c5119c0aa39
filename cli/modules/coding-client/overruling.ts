/** What in the client's settings sends it elsewhere than its environment says: the client takes the settings. */
import { basename } from 'node:path'
import type { Io } from '../../terminal/io.ts'
import { rawAt } from './edit-json.ts'
import { findRivals } from './merge.ts'
import { settingsFolder } from './settings-folder.ts'

export interface Overruling {
  readonly settings: string
  readonly names: readonly string[]
}

/** Other programs than the client do not read its settings; those that cannot be read are the client's to complain about. */
export async function findOverruling(io: Io, command: string, gateway: string): Promise<Overruling | undefined> {
  if (!/^claude(\.\w+)?$/.test(basename(command))) return undefined
  for (const isProject of [true, false]) {
    const { settings } = settingsFolder(io, isProject)
    const text = await io.readFile(settings).catch(() => '')
    const names = namesIn(Buffer.from(text), gateway)
    if (names.length > 0) return { settings, names }
  }
  return undefined
}

function namesIn(bytes: Buffer, gateway: string): readonly string[] {
  try {
    const address = rawAt(bytes, ['env', 'ANTHROPIC_BASE_URL'])
    // Settings of this very gateway lead there too, with the credential that they have.
    if (address === JSON.stringify(gateway)) return []
    return [...(address === undefined ? [] : ['ANTHROPIC_BASE_URL']), ...findRivals(bytes, 'helper')]
  } catch {
    return []
  }
}
