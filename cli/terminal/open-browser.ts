/** Opens a page in the person's browser, where there is one. A few lines; a dependency would be larger. */
import { spawn } from 'node:child_process'
import type { Environment } from './environment.ts'

const programs: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
}

export function openBrowser(url: string, environment: Environment): Promise<boolean> {
  const command = programs[process.platform]
  // Over SSH the page would open on the wrong machine, and without a display nowhere.
  const isRemote = environment['SSH_CONNECTION'] !== undefined
  const hasNoScreen =
    process.platform === 'linux' && environment['DISPLAY'] === undefined && environment['WAYLAND_DISPLAY'] === undefined
  if (command === undefined || isRemote || hasNoScreen) return Promise.resolve(false)
  const [program, ...args] = command
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    child.on('error', () => resolve(false))
    child.on('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
