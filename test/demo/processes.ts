/** Which processes exist and who started them. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

export interface Process {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** Ended ones that nobody has asked about yet are left out. */
async function listProcesses(): Promise<readonly Process[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,ppid=,stat=,command='])
    const rows = stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+([^Z\s]\S*)\s+(.*)$/gm)
    return [...rows].map((row) => ({ pid: Number(row[1]), parent: Number(row[2]), command: row[4] ?? '' }))
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(pids.map((pid) => readProcess(Number(pid))))
  return found.filter((one) => one !== undefined)
}

async function readProcess(pid: number): Promise<Process | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (parent === undefined || state === 'Z') return undefined
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return { pid, parent: Number(parent), command: command.replaceAll('\0', ' ') }
}

export async function descendantsOf(pid: number): Promise<readonly Process[]> {
  const byParent = Map.groupBy(await listProcesses(), (one) => one.parent)
  const collect = (parent: number): Process[] =>
    (byParent.get(parent) ?? []).flatMap((one) => [one, ...collect(one.pid)])
  return collect(pid)
}

/** Those that still run: the same number with another command is somebody else. */
export async function stillRunning(processes: readonly Process[]): Promise<readonly Process[]> {
  const now = new Map((await listProcesses()).map((one) => [one.pid, one.command]))
  return processes.filter((one) => now.get(one.pid) === one.command)
}
