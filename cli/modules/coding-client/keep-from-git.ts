/** Personal settings of a project stay out of its repository: git is told on this machine alone, in no file that is shared. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'

/** `none`: there is no repository here, or no git. */
export type GitState = 'none' | 'ignored' | 'committable' | 'tracked'

const NAME = '.claude/settings.local.json'
const LINES = `# causeway: personal settings of the coding client\n**/${NAME}\n`

export async function readGitState(project: string): Promise<GitState> {
  if ((await git(project, 'rev-parse', '--is-inside-work-tree')) !== 'true\n') return 'none'
  if ((await git(project, 'ls-files', '--error-unmatch', '--', NAME)) !== undefined) return 'tracked'
  return (await git(project, 'check-ignore', '--', NAME)) === undefined ? 'committable' : 'ignored'
}

export async function excludeFromGit(project: string): Promise<void> {
  const file = await findExclude(project)
  if (file === undefined) return
  const text = await read(file)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${LINES}`)
}

export async function includeAgain(project: string): Promise<void> {
  const file = await findExclude(project)
  const text = file === undefined ? '' : await read(file)
  if (file === undefined || !text.includes(LINES)) return
  const rest = text.replace(LINES, '')
  await (rest === '' ? rm(file) : writeFile(file, rest))
}

async function findExclude(project: string): Promise<string | undefined> {
  const path = await git(project, 'rev-parse', '--git-path', 'info/exclude')
  return path === undefined ? undefined : resolve(project, path.replace(/\r?\n$/, ''))
}

/** Undefined when git ends with a code, or is not there. */
async function git(project: string, ...args: readonly string[]): Promise<string | undefined> {
  return promisify(execFile)('git', ['-C', project, ...args]).then(
    ({ stdout }) => stdout,
    () => undefined,
  )
}

async function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
}
