import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type CookieJar, post, signIn, startLoginGateway } from '../../sign-in/login-app.ts'
import { makeHome, type RunningScript, runScript, shells, startScript } from '../../sign-in/run-script.ts'
import { freePort } from '../../support/free-port.ts'

let gateway: Awaited<ReturnType<typeof startLoginGateway>>
let alice: CookieJar
let script = ''

before(async () => {
  gateway = await startLoginGateway()
  alice = await signIn(gateway, 'alice@example.com')
  script = await (await fetch(`${gateway.url}/auth/setup/token-script`)).text()
})

after(() => gateway.stop())

async function confirm(running: RunningScript): Promise<void> {
  const [, code = ''] = await running.said(/shows {2}(\S+)/)
  const visit = await post(gateway, alice, '/auth/cli/complete', { user_code: code })
  assert.equal(visit.status, 200, visit.text)
}

async function signedInHome() {
  const home = makeHome()
  const running = startScript('sh', script, home.path)
  await confirm(running)
  const { stdout } = await running.done
  return { home, token: stdout.trim(), folder: join(home.path, '.cache/causeway') }
}

function linkTools(bin: string): void {
  for (const tool of ['sh', 'date', 'mkdir', 'chmod', 'tr', 'sed', 'sleep', 'rm', 'mv', 'uname'])
    symlinkSync(`/usr/bin/${tool}`, join(bin, tool))
}

const buildFile = (folder: string, ending: string) =>
  join(folder, readdirSync(folder).find((name) => name.endsWith(ending)) ?? '')

// Each has a home folder of its own and mostly waits.
describe('the login helper', { concurrency: 4 }, () => {
  for (const shell of shells)
    test(`${shell}: prints the address and the code first, then only the token, and keeps it for its owner alone`, async () => {
      const home = makeHome()
      try {
        const running = startScript(shell, script, home.path)
        const [, address = ''] = await running.said(/Sign in at {2}(\S+)/)
        assert.ok(address.startsWith(`${gateway.url}/auth/cli/callback?user_code=`))
        await confirm(running)
        const run = await running.done
        assert.equal(run.code, 0, run.stderr)
        assert.match(run.stdout, /^sess-[\w.-]+\n$/)
        const folder = join(home.path, '.cache/causeway')
        assert.equal(statSync(folder).mode & 0o777, 0o700)
        assert.equal(statSync(buildFile(folder, '.token')).mode & 0o777, 0o600)
        assert.deepEqual(
          readdirSync(folder).filter((name) => name.includes('.lock')),
          [],
        )
        const again = await runScript(shell, script, home.path)
        assert.deepEqual(again, { code: 0, stdout: run.stdout, stderr: '' }, 'the kept token, without a word')
        const header = `authorization: Bearer ${run.stdout.trim()}`
        const { stdout: who } = await promisify(execFile)('curl', ['-sf', '-H', header, `${gateway.url}/auth/me`])
        assert.equal((JSON.parse(who) as { user: { subject: string } }).user.subject, 'alice@example.com')
      } finally {
        home.remove()
      }
    })

  test('the script verifies certificates, needs no bash, and never decodes the token', () => {
    assert.match(script, /^#!\/bin\/sh\n/)
    for (const word of [
      /curl[^\n]* -\w*k\b/,
      /--insecure/,
      /no-check-certificate/,
      /base64/,
      /uuidgen/,
      /\[\[/,
      /\bjq\b/,
      /\blocal /,
    ])
      assert.doesNotMatch(script, word)
    assert.match(script, /export CLIENT_ENABLE_GATEWAY_MODEL_DISCOVERY=1/)
    assert.match(script, /export CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY=1/)
    for (const shell of shells) execFileSync(shell, ['-n'], { input: script })
  })

  test('the secret of the sign-in and the token are never on a command line', async () => {
    const { home, token, folder } = await signedInHome()
    try {
      const bin = join(home.path, 'bin')
      mkdirSync(bin)
      const log = join(home.path, 'curl.log')
      writeFileSync(join(bin, 'curl'), `#!/bin/sh\nprintf '%s\\n' "$*" >>'${log}'\nexec /usr/bin/curl "$@"\n`, {
        mode: 0o755,
      })
      await runScript('sh', script, home.path, [], { PATH: `${bin}:/usr/bin:/bin` })
      const seen = readFileSync(log, 'utf8')
      assert.ok(seen.length > 0)
      assert.equal(seen.includes(token), false)
      assert.doesNotMatch(seen, /session_code/)
      assert.ok(folder)
    } finally {
      home.remove()
    }
  })

  test('where there is no curl, wget does', async () => {
    const home = makeHome()
    try {
      const bin = join(home.path, 'bin')
      mkdirSync(bin)
      const log = join(home.path, 'wget.log')
      writeFileSync(join(bin, 'wget'), `#!/bin/sh\nprintf '%s\\n' "$*" >>'${log}'\nexec /usr/bin/wget "$@"\n`, {
        mode: 0o755,
      })
      linkTools(bin)
      const running = startScript('/usr/bin/sh', script, home.path, [], { PATH: bin })
      await confirm(running)
      const run = await running.done
      assert.match(run.stdout, /^sess-[\w.-]+\n$/, run.stderr)
      assert.equal((await runScript('/usr/bin/sh', script, home.path, [], { PATH: bin })).stdout, run.stdout)
      const authorization = `Bearer ${run.stdout.trim()}`
      await fetch(`${gateway.url}/auth/logout`, { method: 'POST', headers: { authorization } })
      const again = startScript('/usr/bin/sh', script, home.path, [], { PATH: bin })
      await confirm(again)
      const { stdout } = await again.done
      assert.match(stdout, /^sess-[\w.-]+\n$/)
      assert.notEqual(stdout, run.stdout, 'a session that has ended is not handed out again')
      assert.deepEqual(
        readdirSync(join(home.path, '.cache/causeway')).filter((name) => /\.(said|with)\b/.test(name)),
        [],
      )
      const seen = readFileSync(log, 'utf8')
      assert.match(seen, /-i -/)
      assert.doesNotMatch(seen, /session_code|Bearer|sess-/, 'no list of processes has a secret')
    } finally {
      home.remove()
    }
  })

  test('a wget that takes a credential as an argument only is not used', async () => {
    const home = makeHome()
    try {
      const bin = join(home.path, 'bin')
      mkdirSync(bin)
      symlinkSync('/usr/bin/busybox', join(bin, 'wget'))
      linkTools(bin)
      const run = await runScript('/usr/bin/sh', script, home.path, [], { PATH: bin })
      assert.deepEqual([run.code, run.stdout], [1, ''])
      assert.match(run.stderr, /curl is not installed, nor GNU wget/)
    } finally {
      home.remove()
    }
  })

  test('three helpers at once open one sign-in and print the same token', async () => {
    const home = makeHome()
    try {
      const opened = join(home.path, 'opened')
      const browser = join(home.path, 'browser')
      writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$1" >>'${opened}'\n`, { mode: 0o755 })
      const started = shells.map((shell) =>
        startScript(shell, script, home.path, ['--verbose'], { CAUSEWAY_BROWSER: browser }),
      )
      await confirm(await Promise.any(started.map((one) => one.said(/shows/).then(() => one))))
      const runs = await Promise.all(started.map((one) => one.done))
      assert.deepEqual(
        runs.map((run) => run.code),
        [0, 0, 0],
      )
      assert.equal(new Set(runs.map((run) => run.stdout)).size, 1)
      assert.equal(readFileSync(opened, 'utf8').trim().split('\n').length, 1, 'one browser tab')
    } finally {
      home.remove()
    }
  })

  test('a lock that a killed helper left behind is taken over at once', async () => {
    const { home, folder } = await signedInHome()
    try {
      const kept = buildFile(folder, '.token')
      const lock = kept.replace(/\.token$/, '.lock')
      rmSync(kept)
      for (const owner of ['999999999 1700000000', `${process.pid} 1700000000`]) {
        mkdirSync(lock, { recursive: true })
        writeFileSync(join(lock, 'owner'), `${owner}\n`)
        const running = startScript('sh', script, home.path)
        await running.said(/Sign in at/)
        running.kill('SIGTERM')
        const run = await running.done
        assert.equal(run.stdout, '')
        assert.notEqual(run.code, 0)
        assert.equal(
          readdirSync(folder).some((name) => name.endsWith('.lock')),
          false,
          'ended in order, it leaves none',
        )
      }
    } finally {
      home.remove()
    }
  })

  test('a kept token that the gateway refuses is not printed again and again: asked twice, the helper signs in anew', async () => {
    const { home, token } = await signedInHome()
    try {
      await fetch(`${gateway.url}/auth/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
      const running = startScript('sh', script, home.path)
      await confirm(running)
      const { stdout } = await running.done
      assert.notEqual(stdout.trim(), token)
      assert.match(stdout, /^sess-/)
    } finally {
      home.remove()
    }
  })

  test('who waits for the sign-in of another helper gets its token, and not the one that the gateway refuses', async () => {
    const { home, token } = await signedInHome()
    try {
      await fetch(`${gateway.url}/auth/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
      const first = startScript('sh', script, home.path)
      await first.said(/Sign in at/)
      const second = startScript('sh', script, home.path, ['--verbose'])
      await second.said(/waiting for it[\s\S]*waiting for it/)
      await confirm(first)
      const runs = await Promise.all([first.done, second.done])
      assert.notEqual(runs[0].stdout.trim(), token)
      assert.equal(runs[1].stdout, runs[0].stdout)
    } finally {
      home.remove()
    }
  })

  test('over SSH and without a screen the address is printed and no browser is tried', async () => {
    const home = makeHome()
    try {
      const running = startScript('sh', script, home.path, [], {
        CAUSEWAY_BROWSER: '',
        SSH_CONNECTION: '1 2 3 4',
        DISPLAY: ':0',
      })
      await running.said(/No browser was opened here/)
      running.kill('SIGTERM')
      await running.done
    } finally {
      home.remove()
    }
  })

  test('a refused sign-in ends with a word and without a token', async () => {
    const home = makeHome()
    try {
      const running = startScript('sh', script, home.path)
      const [, code = ''] = await running.said(/shows {2}(\S+)/)
      await post(gateway, alice, '/auth/cli/complete', { user_code: code, approve: false })
      const run = await running.done
      assert.deepEqual([run.code, run.stdout], [1, ''])
      assert.match(run.stderr, /refused/)
    } finally {
      home.remove()
    }
  })

  test('an unknown certificate is refused; --cacert and NODE_EXTRA_CA_CERTS make it known', async () => {
    const port = await freePort()
    const dataDir = mkdtempSync(join(tmpdir(), 'causeway-tls-'))
    const secure = await startLoginGateway({
      env: { TLS_PORT: String(port), DATA_DIR: dataDir, PUBLIC_URL: `https://localhost:${port}` },
    })
    const home = makeHome()
    try {
      const served = await (await fetch(`${secure.url}/auth/setup/token-script`)).text()
      const blind = await runScript('sh', served, home.path)
      assert.deepEqual([blind.code, blind.stdout], [1, ''])
      assert.match(blind.stderr, /certificate of https:\/\/localhost:\d+ cannot be verified/)
      const cert = join(dataDir, 'tls/cert.pem')
      for (const [args, env] of [
        [['--cacert', cert], {}],
        [[], { NODE_EXTRA_CA_CERTS: cert }],
      ] as const) {
        const running = startScript('sh', served, home.path, args, env)
        await running.said(/Sign in at {2}https:\/\/localhost/)
        running.kill('SIGTERM')
        await running.done
      }
    } finally {
      home.remove()
      await secure.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })

  test('plain http is refused except on this machine', async () => {
    const open = await startLoginGateway({
      simulator: gateway.simulator,
      env: { PUBLIC_URL: 'http://gateway.example.com' },
    })
    const home = makeHome()
    try {
      const served = await (await fetch(`${open.url}/auth/setup/token-script`)).text()
      const run = await runScript('sh', served, home.path)
      assert.deepEqual([run.code, run.stdout], [1, ''])
      assert.match(run.stderr, /not https/)
    } finally {
      home.remove()
      await open.stop()
    }
  })

  test('for Windows there is a PowerShell script with the same address', async () => {
    const text = await (await fetch(`${gateway.url}/auth/setup/token-script?platform=windows`)).text()
    assert.match(text, new RegExp(`\\$Gateway = '${gateway.url}'`))
    assert.match(text, /CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY/)
    assert.doesNotMatch(text, /SkipCertificateCheck/)
  })

  test('the setup for Windows tries the connection with the token before it says that all is ready', async () => {
    const text = await (await fetch(`${gateway.url}/setup.ps1`)).text()
    assert.match(text, /^param\(.*\[switch\]\$NoTest\)$/m)
    const steps = [
      /\$Token = powershell .* -File \$Helper$/m,
      /^Write-Json \$Json \$Settings$/m,
      /^if \(-not \$NoTest -and -not \(Test-Gateway \$Token\)\) \{\n {2}Write-Host 'Not ready .*\n {2}return\n\}$/m,
      /^Write-Host 'Ready {8}Run: claude'$/m,
    ].map((step) => text.search(step))
    assert.ok(!steps.includes(-1), String(steps))
    assert.deepEqual(
      steps,
      steps.toSorted((a, b) => a - b),
    )
    for (const path of ['/v1/models?limit=1000', '/v1/messages'])
      assert.match(text, new RegExp(`Invoke-RestMethod @Common.* "\\$Gateway${RegExp.escape(path)}"`))
    // There is no PowerShell to read it here: at least what is opened is closed.
    const opened = text.replace(/#[^\n]*|'[^'\n]*'/g, '')
    for (const [open, close] of [['{', '}'] as const, ['(', ')'] as const, ['[', ']'] as const])
      assert.equal(opened.split(open).length, opened.split(close).length, open)
  })
})
