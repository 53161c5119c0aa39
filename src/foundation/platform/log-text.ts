/** One JSON log line as one line of text for people. A few lines; a dependency would be larger. */

const order = ['time', 'level', 'msg', 'err']

export function textLine(json: string): string {
  const entry = JSON.parse(json) as Record<string, unknown>
  const level = String(entry['level']).toUpperCase().padEnd(5)
  const fields = Object.entries(entry)
    .filter(([name]) => !order.includes(name))
    .map(([name, value]) => ` ${name}=${shown(value)}`)
    .join('')
  return `${String(entry['time'])} ${level} ${printable(String(entry['msg'] ?? ''))}${fields}${errorText(entry['err'])}\n`
}

/** The same line without the way through JSON, for entries of plain values; undefined for any other. */
export function plainTextLine(
  time: string,
  level: string,
  fields: Readonly<Record<string, unknown>>,
  message: string,
): string | undefined {
  let line = `${time} ${level.toUpperCase().padEnd(5)} ${printable(message)}`
  for (const name in fields) {
    const value = fields[name]
    if (typeof value === 'string' && !order.includes(name)) line += ` ${name}=${shown(value)}`
    else if (typeof value === 'number' && Number.isFinite(value)) line += ` ${name}=${value}`
    else return undefined
  }
  return `${line}\n`
}

/** Quoted unless plain, so that a value cannot pretend to be another field or another line. */
function shown(value: unknown): string {
  if (typeof value === 'string') return /^[\w.:/@+-]+$/.test(value) ? value : JSON.stringify(printable(value))
  return JSON.stringify(value)
}

function errorText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  const { type, message, code, stack } = value as Record<string, unknown>
  const head = ` error=${shown(String(type))}${code === undefined ? '' : ` code=${shown(code)}`} reason=${JSON.stringify(printable(String(message)))}`
  const frames = typeof stack === 'string' ? stack.split('\n').slice(1, 6) : []
  return [head, ...frames.map(printable)].join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const everyUnprintable = new RegExp(unprintable, 'g')

/** Control characters would let a client write its own log lines or steer a terminal. */
function printable(value: string): string {
  return unprintable.test(value) ? value.replace(everyUnprintable, '\ufffd') : value
}
