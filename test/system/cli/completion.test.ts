/** Completion in real shells, as somebody at a prompt gets it. Each shell must be installed: an untried script is a guess. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { login, startGateway, type TestGateway } from '../../support/gateway.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'causeway-shells-'))
let gateway: TestGateway
let env: Record<string, string> = {}

before(async () => {
  gateway = await startGateway()
  const token = await login(gateway.url)
  const add = (path: string, body: unknown): Promise<Response> =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await add('/admin/keys', { name: 'nightly build' })
  await add('/admin/teams', { name: 'platform' })
  await add('/admin/users', { subject: 'grace@example.com' })
  const command = join(folder, 'causeway')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${resolve('cli/main.ts')}' "$@"\n`)
  chmodSync(command, 0o755)
  env = {
    PATH: `${folder}${delimiter}${process.env['PATH']}`,
    HOME: folder,
    TERM: 'xterm',
    LANG: 'C.UTF-8',
    CAUSEWAY_URL: gateway.url,
    CAUSEWAY_TOKEN: token,
    NODE_COMPILE_CACHE: join(folder, 'cache'),
  }
})

after(async () => {
  await gateway?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** What was typed, and the line that the shell makes of it. */
const lines: readonly (readonly [typed: string, completed: string])[] = [
  ['causeway ke', 'causeway keys'],
  ['causeway keys rev', 'causeway keys revoke'],
  ['causeway keys create x --exp', 'causeway keys create x --expires'],
  ['causeway teams show pla', 'causeway teams show platform'],
  ['causeway users show grace@ex', 'causeway users show grace@example.com'],
  ['causeway keys show nig', 'causeway keys show nightly\\ build'],
  ['causeway keys show nightly\\ b', 'causeway keys show nightly\\ build'],
  ['causeway keys create x --team pla', 'causeway keys create x --team platform'],
  ['causeway keys create x --team=pla', 'causeway keys create x --team=platform'],
  ['causeway completion z', 'causeway completion zsh'],
]

async function script(shell: string): Promise<string> {
  const file = join(folder, `completion.${shell}`)
  writeFileSync(file, (await run(join(folder, 'causeway'), ['completion', shell], { env })).stdout)
  return file
}

function requireShell(name: string): void {
  const found = ['/bin', '/usr/bin', '/usr/local/bin'].some((place) => existsSync(join(place, name)))
  assert.ok(
    found,
    `${name.toUpperCase()} IS NOT INSTALLED, so its completion was not tried: install the package "${name}"`,
  )
}

/** Keys: Control-T, which has the shell write down its line, and Control-U. */
const SHOW = "$'\\x14'"
const CLEAR = "$'\\x15'"

/**
 * An interactive shell on a terminal of its own, which zsh can make: types each line, presses Tab, and has the shell
 * write what is on the line then.
 */
async function typeInto(shell: string, setUp: string): Promise<readonly string[]> {
  requireShell('zsh')
  const driver = join(folder, `drive-${shell}.zsh`)
  const out = join(folder, `line-${shell}`)
  writeFileSync(
    driver,
    `zmodload zsh/zpty
zpty -b one ${setUp}
drain() { local junk; while zpty -r -t one junk; do :; done }
seen() { local n; for n in {1..$1}; do drain; [[ -s ${out} ]] && return 0; sleep 0.02; done; return 1 }
for n in {1..50}; do zpty -w -n one ${SHOW}; seen 10 && break; done
for typed in "$@"; do
  sleep 0.1; rm -f ${out}
  zpty -w -n one ${CLEAR}; zpty -w -n one "$typed"$'\\t'; sleep 0.1; zpty -w -n one ${SHOW}
  seen 500 || { print -u2 "no answer to $typed"; exit 3 }
  cat ${out}
done
zpty -d one
`,
  )
  const { stdout } = await run('zsh', ['-f', driver, ...lines.map(([typed]) => typed)], { env, timeout: 600_000 })
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
}

test('bash completes commands, options and the names of things', async () => {
  const file = await script('bash')
  const rc = join(folder, 'bashrc')
  writeFileSync(
    rc,
    `PS1=\nsource ${file}\nshow() { printf '%s\\n' "$READLINE_LINE" > ${join(folder, 'line-bash')}; }\nbind -x '"\\C-t": show'\n`,
  )
  assert.deepEqual(
    await typeInto('bash', `bash --noprofile --rcfile ${rc} -i`),
    lines.map(([, completed]) => completed),
  )
})

test('zsh completes commands, options and the names of things', async () => {
  const file = await script('zsh')
  writeFileSync(
    join(folder, '.zshrc'),
    `PS1=
autoload -U compinit && compinit -u -d ${join(folder, 'dump')}
source ${file}
show() { print -r -- "$BUFFER" > ${join(folder, 'line-zsh')} }
zle -N show
bindkey '^T' show
`,
  )
  assert.deepEqual(
    await typeInto('zsh', 'zsh -i'),
    lines.map(([, completed]) => completed),
  )
})

test('fish completes commands, options and the names of things', async () => {
  requireShell('fish')
  const file = await script('fish')
  const found: string[] = []
  for (const [typed] of lines) {
    const { stdout } = await run('fish', ['-c', `source ${file}; complete -C ${JSON.stringify(typed)}`], { env })
    found.push(`${typed.slice(0, typed.search(/(?:[^ \\]|\\.)*$/))}${stdout.trimEnd().replaceAll(' ', '\\ ')}`)
  }
  assert.deepEqual(
    found,
    lines.map(([, completed]) => completed),
  )
  assert.ok(readFileSync(file, 'utf8').includes('complete -c causeway'))
})
