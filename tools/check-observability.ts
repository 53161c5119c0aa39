/** Checks the operations kit: rules by promtool, every metric and route that it names, and a runbook page for every alert. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { type InstrumentSpec, instrumentTable, prometheusName } from '../src/foundation/domain/instruments.ts'
import { dashboardQueries } from './observability/dashboard.ts'
import { namesIn } from './observability/promql-names.ts'

const KIT = 'deploy/observability'
const RUNBOOKS = 'docs/runbooks'
const sections = ['What it means', 'How to see it', 'What to do', 'How to know it is over']
/** What Prometheus itself adds, and what several workers on one port add. */
const addedLabels = ['job', 'instance', 'worker']

interface Rule {
  readonly record?: string
  readonly alert?: string
  readonly expr: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

function readRules(): readonly Rule[] {
  const { groups } = parse(readFileSync(`${KIT}/alerts.yml`, 'utf8')) as { groups: { rules: Rule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

/** Every name that an expression may use, with its labels. */
function knownMetrics(rules: readonly Rule[]): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, readonly string[]>()
  for (const [name, spec] of Object.entries<InstrumentSpec>(instrumentTable)) {
    const labels = [...spec.labels.map((label) => label.replaceAll('.', '_')), ...addedLabels]
    const shown = prometheusName(name, spec)
    if (spec.kind !== 'histogram') known.set(shown, labels)
    else for (const part of ['bucket', 'sum', 'count']) known.set(`${shown}_${part}`, [...labels, 'le'])
  }
  for (const { record } of rules) if (record !== undefined) known.set(record, addedLabels)
  return known
}

export function problemsInExpressions(): string[] {
  const rules = readRules()
  const known = knownMetrics(rules)
  const everyLabel = new Set([...known.values()].flat())
  const expressions = [
    ...rules.map((rule) => [rule.alert ?? rule.record ?? '', rule.expr]),
    ...dashboardQueries.map(({ expr }) => ['dashboard', expr]),
  ]
  return expressions.flatMap(([where = '', expr = '']) => {
    const { metrics, grouping } = namesIn(expr)
    return [
      ...metrics.flatMap(({ metric, labels }) => {
        const own = known.get(metric)
        if (own === undefined) return [`${where}: there is no metric ${metric}`]
        return labels
          .filter((label) => !own.includes(label))
          .map((label) => `${where}: ${metric} has no label ${label}`)
      }),
      ...grouping
        .filter((label) => !everyLabel.has(label))
        .map((label) => `${where}: no metric has the label ${label}`),
    ]
  })
}

export function problemsInRunbooks(): string[] {
  const alerts = readRules().filter((rule) => rule.alert !== undefined)
  const problems = alerts.flatMap(({ alert = '', labels, annotations = {} }) => {
    const url = annotations['runbook_url'] ?? ''
    const file = path.join(RUNBOOKS, path.basename(url))
    if (!url.includes('$externalLabels.causeway_runbooks') || !existsSync(file)) return [`${alert}: no page ${file}`]
    const page = readFileSync(file, 'utf8')
    return [
      ...(page.includes(`\`${alert}\``) ? [] : [`${file} does not name ${alert}`]),
      ...sections.filter((title) => !page.includes(`\n## ${title}\n`)).map((title) => `${file} has no "${title}"`),
      ...(['page', 'ticket'].includes(labels?.['severity'] ?? '') ? [] : [`${alert}: severity must be page or ticket`]),
      ...(annotations['portal_url']?.includes('/portal#/health?at=') ? [] : [`${alert}: no link to the portal`]),
    ]
  })
  const named = new Set(alerts.map(({ annotations = {} }) => path.basename(annotations['runbook_url'] ?? '')))
  const orphans = globSync(`${RUNBOOKS}/*.md`).filter((file) => !named.has(path.basename(file)))
  return [...problems, ...orphans.map((file) => `${file} belongs to no alert`), ...problemsInWords()]
}

/** Metrics and routes that the pages tell people to look at. */
function problemsInWords(): string[] {
  const known = knownMetrics(readRules())
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as { paths: Record<string, object> }
  const routes = new Set(
    Object.entries(paths).flatMap(([route, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${hideParameters(route)}`),
    ),
  )
  return globSync(`${RUNBOOKS}/*.md`).flatMap((file) => {
    const page = readFileSync(file, 'utf8')
    const metrics = [...page.matchAll(/\b(?:gateway_|gen_ai_|causeway:)[\w:]+/g)].map(([name]) => name)
    const named = [...page.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^\s`]*)/g)].map(
      ([, method = '', route = '']) => `${method} ${hideParameters(route)}`,
    )
    return [
      ...metrics.filter((name) => !known.has(name)).map((name) => `${file}: there is no metric ${name}`),
      ...named.filter((route) => !routes.has(route)).map((route) => `${file}: there is no route ${route}`),
    ]
  })
}

function hideParameters(route: string): string {
  return route.replace(/\{\w+\}/g, '{}')
}

export function problemsByPromtool(): string[] {
  const commands = [
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
    ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ]
  return commands.flatMap((args) => {
    const { error, status, stdout, stderr } = spawnSync('promtool', args, { cwd: KIT, encoding: 'utf8' })
    if (error !== undefined)
      return ['promtool is missing: install the Debian package "prometheus", or put promtool on the PATH']
    return status === 0 ? [] : [`promtool ${args.join(' ')}:\n${stdout}${stderr}`]
  })
}

if (import.meta.main) {
  const problems = [...problemsInExpressions(), ...problemsInRunbooks(), ...problemsByPromtool()]
  for (const problem of problems) console.error(problem)
  console.log(problems.length === 0 ? 'the operations kit is in order' : `${problems.length} problems`)
  if (problems.length > 0) process.exitCode = 1
}
