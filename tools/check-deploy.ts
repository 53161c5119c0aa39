/** `npm run check:deploy`: renders and checks, without a network, everything under deploy/ that can be. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { checkChart } from './deploy/check-chart.ts'
import { checkCompose } from './deploy/check-compose.ts'
import { checkDockerfile } from './deploy/check-dockerfile.ts'
import { checkPolicies } from './deploy/check-policies.ts'
import type { Finding } from './deploy/finding.ts'

const checks: Readonly<Record<string, () => Finding>> = {
  'image: Dockerfile': () => checkDockerfile('deploy/docker/Dockerfile'),
  'compose file': () => checkCompose('deploy/compose/compose.yaml'),
  'policies for AWS': () => checkPolicies(globSync('deploy/iam/*.json')),
  'chart for Kubernetes': () => checkChart('deploy/helm/causeway'),
  'CDK app: types': () => runInCdk(path.resolve('node_modules/.bin/tsc'), []),
  'CDK app: assertions': () => runInCdk(process.execPath, ['--test', '--test-reporter=dot']),
  'CDK app: synthesis': () => runInCdk(path.resolve('deploy/cdk/node_modules/.bin/cdk'), ['synth', '--quiet']),
}

/** In its own folder, with its own dependencies, and with no credentials to ask AWS for anything. */
function runInCdk(command: string, args: readonly string[]): Finding {
  const cwd = 'deploy/cdk'
  if (!existsSync(`${cwd}/node_modules`)) {
    const installed = spawnSync('npm', ['ci', '--silent'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
    if (installed.status !== 0) return { kind: 'mistakes', lines: ['npm ci failed in deploy/cdk'] }
  }
  const PATH = `${path.dirname(process.execPath)}:${process.env['PATH']}`
  const env = {
    PATH,
    HOME: process.env['HOME'] ?? '/',
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  return { kind: 'mistakes', lines: status === 0 ? [] : [`${stdout}${stderr}`.trim()] }
}

/** The chart carries a copy of the alert rules, because Helm reads no file outside of a chart. */
function checkCopies(): Finding {
  const [original, copy] = ['deploy/observability/alerts.yml', 'deploy/helm/causeway/files/alerts.yml']
  if (!existsSync(original)) return { kind: 'mistakes', lines: [`${original} is not there`] }
  const same = existsSync(copy) && readFileSync(original, 'utf8') === readFileSync(copy, 'utf8')
  return { kind: 'mistakes', lines: same ? [] : [`${copy} differs from ${original}: copy it`] }
}

let isWell = true
for (const [name, check] of Object.entries({ ...checks, "chart's copy of the alert rules": checkCopies })) {
  const finding = check()
  if (finding.kind === 'missing') {
    console.log(`!! ${name}: NOT CHECKED, because ${finding.tool} is not installed`)
    continue
  }
  console.log(`${finding.lines.length === 0 ? 'ok' : 'NO'} ${name}`)
  for (const line of finding.lines) console.log(`   ${line}`)
  if (finding.lines.length > 0) isWell = false
}
process.exitCode = isWell ? 0 : 1
