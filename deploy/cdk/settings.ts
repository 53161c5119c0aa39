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
}

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
  const settings: Settings = {
    image: text('image', 'causeway:1.9.0', /^\S+$/, 'the name of an image'),
    publicUrl: text('publicUrl', '', /^https?:\/\/[^/]+$/, 'an origin such as https://gateway.example.com'),
    certificateArn: text('certificateArn', '', /^arn:aws[a-z-]*:acm:/, 'the ARN of a certificate'),
    desiredCount: count('desiredCount', 2),
    maxCount: count('maxCount', 10),
    endpointRoleArns: roles,
    alarmEmail: text('alarmEmail', '', /^[^@\s]+@[^@\s]+$/, 'an e-mail address'),
  }
  for (const role of roles)
    if (!/^arn:aws[a-z-]*:iam::\d{12}:role\/.+$/.test(role))
      mistakes.push(`endpointRoleArns holds ${role}, which is no role ARN`)
  if (settings.image === '') mistakes.push('image must not be empty')
  if (settings.maxCount < settings.desiredCount) mistakes.push('maxCount must not be below desiredCount')
  if (mistakes.length > 0) throw new Error(`The context is not valid:\n  ${mistakes.join('\n  ')}`)
  return settings
}
