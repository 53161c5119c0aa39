/** What an installation decides, read from the CDK context; all mistakes are named together. */
export interface Settings {
  /** Of a registry that the account can pull from. */
  readonly image: string
  readonly publicUrl: string
  /** Of AWS Certificate Manager. Empty: plain HTTP, for a trial behind another proxy. */
  readonly certificateArn: string
  readonly desiredCount: number
  readonly maxCount: number
  /** Roles in other accounts that endpoints use. */
  readonly endpointRoleArns: readonly string[]
  readonly alarmEmail: string
  /** Further variables of the gateway. */
  readonly environment: Readonly<Record<string, string>>
  /** Variables whose values are secrets of Secrets Manager, by their whole ARNs. */
  readonly secretArns: Readonly<Record<string, string>>
}

/** What the stack decides by itself, each with its own setting or none. */
const ownVariables: readonly string[] = [
  'PROXY_HOST',
  'PROXY_PORT',
  'DATABASE_URL',
  'DATABASE_HOST',
  'DATABASE_NAME',
  'DATABASE_USER',
  'RDS_IAM_AUTH',
  'AWS_REGION',
  'DRAIN_TIMEOUT_SECONDS',
  'TRUSTED_PROXIES',
  'PUBLIC_URL',
  'ADMIN_PASSWORD',
  'SECRET_KEY',
]

const secretArn = /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:.+-\w{6}$/

export function readSettings(read: (key: string) => unknown): Settings {
  const mistakes: string[] = []
  const text = (key: string, fallback: string, pattern: RegExp, wanted: string): string => {
    const value = read(key) ?? fallback
    if (typeof value === 'string' && (value === '' || pattern.test(value))) return value
    mistakes.push(`${key} must be ${wanted}`)
    return fallback
  }
  const count = (key: string, fallback: number): number => {
    const value = Number(read(key) ?? fallback)
    if (Number.isInteger(value) && value >= 1 && value <= 200) return value
    mistakes.push(`${key} must be a whole number from 1 to 200`)
    return fallback
  }
  // The command line gives text, the context file gives a list.
  const roles = [read('endpointRoleArns') ?? []]
    .flat()
    .flatMap((entry) => String(entry).split(','))
    .filter(Boolean)
  const variables = (key: string, taken: readonly string[]): Readonly<Record<string, string>> => {
    const found = objectIn(read(key) ?? {})
    if (found === undefined) mistakes.push(`${key} must be an object of variables and their values`)
    for (const name of Object.keys(found ?? {})) {
      if (!/^[A-Z][A-Z0-9_]*$/.test(name)) mistakes.push(`${key} holds ${name}, which is no name of a variable`)
      if (taken.includes(name)) mistakes.push(`${key} holds ${name}, which the stack sets by itself`)
    }
    return Object.fromEntries(Object.entries(found ?? {}).map(([name, value]) => [name, String(value)]))
  }
  const settings: Settings = {
    image: text('image', 'causeway:1.9.0', /^\S+$/, 'the name of an image'),
    publicUrl: text('publicUrl', '', /^https?:\/\/[^/]+$/, 'an origin such as https://gateway.example.com'),
    certificateArn: text('certificateArn', '', /^arn:aws[a-z-]*:acm:/, 'the ARN of a certificate'),
    desiredCount: count('desiredCount', 2),
    maxCount: count('maxCount', 10),
    endpointRoleArns: roles,
    alarmEmail: text('alarmEmail', '', /^[^@\s]+@[^@\s]+$/, 'an e-mail address'),
    // Its token is a secret, and the stack makes one where none is named.
    environment: variables('environment', [...ownVariables, 'METRICS_TOKEN']),
    secretArns: variables('secretArns', ownVariables),
  }
  for (const [name, arn] of Object.entries(settings.secretArns))
    if (!secretArn.test(arn)) mistakes.push(`secretArns holds ${arn} for ${name}, which is no whole ARN of a secret`)
  for (const name of Object.keys(settings.secretArns))
    if (name in settings.environment) mistakes.push(`${name} stands in environment and in secretArns`)
  for (const role of roles)
    if (!/^arn:aws[a-z-]*:iam::\d{12}:role\/.+$/.test(role))
      mistakes.push(`endpointRoleArns holds ${role}, which is no role ARN`)
  if (settings.image === '') mistakes.push('image must not be empty')
  if (settings.maxCount < settings.desiredCount) mistakes.push('maxCount must not be below desiredCount')
  if (mistakes.length > 0) throw new Error(`The context is not valid:\n  ${mistakes.join('\n  ')}`)
  return settings
}

/** The command line gives JSON text, the context file an object. */
function objectIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const found: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return typeof found === 'object' && found !== null && !Array.isArray(found)
      ? (found as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}
