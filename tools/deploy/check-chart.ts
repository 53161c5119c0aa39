/** Renders the chart with Helm in its shapes and looks into what comes out; without Helm it checks what can be read. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { parse, parseAllDocuments } from 'yaml'
import type { Finding } from './finding.ts'

/** A Helm that was built without one assumes a cluster that is too old for the chart. */
const KUBE_VERSION = '1.31.0'

const base = ['--set', 'database.host=db.example.com', '--set', 'databasePassword=x']

/** Each shape with the kinds it must add. */
const shapes: readonly (readonly [args: readonly string[], kinds: readonly string[]])[] = [
  [base, ['Secret', 'ServiceAccount', 'StatefulSet', 'Service', 'PodDisruptionBudget', 'Job', 'Pod']],
  [
    ['--set', 'database.host=db', '--set', 'database.iamAuth=true', '--set', 'autoscaling.enabled=true'],
    ['HorizontalPodAutoscaler'],
  ],
  [
    [
      ...base,
      ...['networkPolicy.enabled', 'serviceMonitor.enabled', 'prometheusRule.enabled', 'ingress.enabled'].flatMap(
        (name) => ['--set', `${name}=true`],
      ),
      '--set',
      'autoscaling.targetInFlight=200,journal.persistent=false,existingSecret=mine',
    ],
    ['NetworkPolicy', 'ServiceMonitor', 'PrometheusRule', 'Ingress'],
  ],
  [[...base, '--set', 'serviceMonitor.enabled=true,metricsTokenSecret.name=scrape'], ['ServiceMonitor']],
  [
    [
      ...base,
      '--set',
      'extraVolumes[0].name=authority,extraVolumes[0].secret.secretName=authority,extraVolumeMounts[0].name=authority,extraVolumeMounts[0].mountPath=/authority',
    ],
    ['StatefulSet', 'Job'],
  ],
]

/** Values that the schema or a template must refuse. */
const refused: readonly (readonly string[])[] = [
  [],
  ['--set', 'database.host=db'],
  [...base, '--set', 'replicaCount=0'],
  [...base, '--set', 'publicUrl=gateway'],
  [...base, '--set', 'nope=1'],
  [...base, '--set', 'extraVolumeMounts[0].name=authority'],
  [...base, '--set', 'serviceMonitor.enabled=true,extraEnv.METRICS_TOKEN=x'],
]

export function checkChart(folder: string): Finding {
  const lines = [...valuesMistakes(folder)]
  if (spawnSync('helm', ['version']).status !== 0)
    return lines.length > 0 ? { kind: 'mistakes', lines } : { kind: 'missing', tool: 'helm' }
  const lint = spawnSync('helm', ['lint', '--strict', '--kube-version', KUBE_VERSION, folder, ...base], {
    encoding: 'utf8',
  })
  if (lint.status !== 0) lines.push(`${lint.stdout}${lint.stderr}`.trim())
  for (const [args, kinds] of shapes) lines.push(...renderMistakes(folder, args, kinds))
  for (const args of refused)
    if (spawnSync('helm', ['template', '--kube-version', KUBE_VERSION, 'c', folder, ...args]).status === 0)
      lines.push(`it takes values that it should refuse: ${args.join(' ') || 'none'}`)
  return { kind: 'mistakes', lines }
}

/** Every value has a place in the schema, and every value that a template reads exists. */
function* valuesMistakes(folder: string): Generator<string> {
  const values = parse(readFileSync(`${folder}/values.yaml`, 'utf8')) as Record<string, unknown>
  const schema = JSON.parse(readFileSync(`${folder}/values.schema.json`, 'utf8')) as {
    properties: Record<string, unknown>
  }
  for (const name of Object.keys(values))
    if (!(name in schema.properties)) yield `values.schema.json does not know ${name}`
  for (const file of globSync(`${folder}/templates/*`)) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/\.Values\.(\w+)/g))
      if (!(name in schema.properties)) yield `${file} reads .Values.${name}, which the schema does not know`
  }
  if (!existsSync(`${folder}/files/alerts.yml`)) yield 'files/alerts.yml is not there'
}

type Labels = Readonly<Record<string, string>>

interface Manifest extends Pod {
  readonly kind: string
  readonly spec?: Pod['spec'] & {
    readonly selector?: { readonly matchLabels?: Labels }
    readonly template?: Pod
    readonly endpoints?: readonly { readonly authorization?: { readonly credentials?: SecretKey } }[]
  }
}

interface SecretKey {
  readonly name: string
  readonly key: string
}

interface Pod {
  readonly metadata?: { readonly name?: string; readonly labels?: Labels }
  readonly spec?: {
    readonly containers?: readonly Container[]
    readonly volumes?: readonly { readonly name: string }[]
    readonly enableServiceLinks?: boolean
  }
}

interface Container {
  readonly volumeMounts?: readonly { readonly name: string }[]
  readonly env?: readonly { readonly name: string; readonly valueFrom?: { readonly secretKeyRef?: SecretKey } }[]
  readonly securityContext?: { readonly readOnlyRootFilesystem?: boolean; readonly runAsNonRoot?: boolean }
  readonly startupProbe?: { readonly httpGet?: { readonly path?: string } }
}

function* renderMistakes(folder: string, args: readonly string[], kinds: readonly string[]): Generator<string> {
  const { status, stdout, stderr } = spawnSync(
    'helm',
    ['template', '--kube-version', KUBE_VERSION, 'causeway', folder, ...args],
    { encoding: 'utf8' },
  )
  if (status !== 0) return yield `helm template ${args.join(' ')}: ${stderr.trim()}`
  const manifests = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest | null)
  const found = new Set(manifests.map((manifest) => manifest?.kind))
  for (const kind of kinds) if (!found.has(kind)) yield `${args.join(' ')}: no ${kind} comes out`
  const gateway = manifests.find((manifest) => manifest?.kind === 'StatefulSet')?.spec
  const instances = gateway?.selector?.matchLabels ?? {}
  const [container] = gateway?.template?.spec?.containers ?? []
  const asked = container?.env?.find(({ name }) => name === 'METRICS_TOKEN')?.valueFrom?.secretKeyRef
  for (const { authorization } of manifests.flatMap((manifest) => manifest?.spec?.endpoints ?? []))
    if (JSON.stringify(authorization?.credentials) !== JSON.stringify(asked))
      yield `${args.join(' ')}: the ServiceMonitor does not send the token that the gateway asks for`
  for (const manifest of manifests) {
    const pod = manifest?.kind === 'Pod' ? manifest : manifest?.spec?.template
    if (pod === undefined) continue
    const name = `${manifest?.kind} ${manifest?.metadata?.name}`
    const { labels = {} } = pod.metadata ?? {}
    // Whatever selects instances would take it for one: the service, the network policy, the disruption budget.
    if (manifest?.kind !== 'StatefulSet' && Object.entries(instances).every(([key, value]) => labels[key] === value))
      yield `${name}: its pod carries the labels of the gateway's instances`
    if (manifest?.kind !== 'Pod' && pod.spec?.enableServiceLinks !== false)
      yield `${name}: the name of a service in the namespace may change its configuration`
    const volumes = pod.spec?.volumes?.map((volume) => volume.name) ?? []
    for (const { securityContext, startupProbe, volumeMounts = [] } of pod.spec?.containers ?? []) {
      if (volumes.includes('authority') && !volumeMounts.some((mount) => mount.name === 'authority'))
        yield `${name}: a further volume is not mounted`
      if (securityContext?.readOnlyRootFilesystem !== true || securityContext.runAsNonRoot !== true)
        yield `${name}: a container may be root or write its file system`
      if (startupProbe?.httpGet?.path === '/ready') yield `${name}: it is killed while it waits for its database`
    }
  }
}
