/** Bodies that look like real ones, for the tests beside this file: deterministic, written or generated here, or taken from this repository. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))

export interface Block {
  readonly [field: string]: unknown
}

export interface MessagesBody {
  readonly system?: string | readonly Block[]
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[]
  readonly tools?: readonly Block[]
}

export interface Sample {
  readonly className: string
  readonly body: MessagesBody
}

const MIN_SOURCE_CHARACTERS = 1_000

function readGolden(name: string): string {
  return readFileSync(new URL(`golden/${name}`, import.meta.url), 'utf8')
}

export function userSays(text: string): MessagesBody {
  return { messages: [{ role: 'user', content: text }] }
}

export function sampleBodies(): readonly Sample[] {
  const readFiles = (pattern: string): readonly string[] =>
    globSync(pattern, { cwd: REPOSITORY })
      .sort()
      .map((file) => readFileSync(`${REPOSITORY}${file}`, 'utf8'))
      .filter((text) => text.length >= MIN_SOURCE_CHARACTERS)
  const seed = readFiles('src/modules/models/model-seed.json')[0] ?? '{}'
  const prose = (language: string): string => readGolden(`prose.${language}.txt`)
  const texts: readonly (readonly [className: string, texts: readonly string[]])[] = [
    ['TypeScript', readFiles('src/{domain,http,config,platform}/*.ts')],
    ['Python', [readGolden('inventory.py')]],
    ['Go', [readGolden('lease.go')]],
    ['minified JS', [readGolden('bundle.min.js.txt')]],
    ['CSS', [readGolden('styles.css')]],
    ['diff', [readGolden('change.diff')]],
    [
      'JSON data',
      [seed, JSON.stringify(JSON.parse(seed)), readFiles('package-lock.json')[0]?.slice(0, 30_000) ?? '{}'],
    ],
    ['log', [7_919, 104_729, 1_299_709].map((start) => makeLog(start, 120))],
    ['English', [...paragraphs(prose('en')), ...readFiles('{*.md,docs/**/*.md,LICENSE}')]],
    ['German', paragraphs(prose('de'))],
    ['French, Russian', [prose('fr'), prose('ru')]],
    ['Chinese', paragraphs(prose('zh'))],
    ['Japanese', paragraphs(prose('ja'))],
    ['Korean', paragraphs(prose('ko'))],
  ]
  return [
    ...texts.flatMap(([className, list]) => list.map((text) => ({ className, body: userSays(text) }))),
    { className: 'tools', body: { ...userSays('foo'), tools: makeTools(1) } },
    { className: 'tools', body: { ...userSays('foo'), tools: makeTools(25) } },
    { className: 'conversation', body: makeConversation(4) },
    { className: 'conversation', body: makeConversation(16) },
    { className: 'mixed languages', body: userSays(['en', 'zh', 'de', 'ja', 'ko', 'ru'].map(prose).join('\n\n')) },
  ]
}

/** Tool definitions of the usual kind: long descriptions with line breaks, a schema with described properties. */
export function makeTools(count: number): readonly Block[] {
  const verbs = ['Read', 'Write', 'Search', 'Edit', 'Run', 'Fetch', 'List', 'Plan', 'Stop', 'Notify']
  const nouns = ['File', 'Notebook', 'Command', 'WebPage', 'Task']
  const sentences = readGolden('prose.en.txt').split(/(?<=[.:;]) /)
  const sentence = (at: number): string => sentences[at % sentences.length]?.trim() ?? ''
  return Array.from({ length: count }, (_, tool) => ({
    name: `${verbs[tool % verbs.length]}${nouns[Math.floor(tool / verbs.length) % nouns.length]}`,
    description: `${sentence(tool)}\n\nUsage:\n- ${sentence(tool + 3)}\n- ${sentence(tool + 5)} Use "limit" and \`offset\` for large results.\n- ${sentence(tool + 9)}\n\nNotes:\n  1. Paths must be absolute, e.g. /home/user/project/src/index.ts.\n  2. ${sentence(tool + 11)}`,
    input_schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        file_path: { type: 'string', description: sentence(tool + 2) },
        output_mode: {
          type: 'string',
          enum: ['content', 'files_with_matches', 'count'],
          description: sentence(tool + 4),
        },
        limit: {
          type: 'integer',
          exclusiveMinimum: 0,
          maximum: 9007199254740991,
          description: 'Number of lines to return.',
        },
        run_in_background: { type: 'boolean', default: false },
        edits: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: { old_string: { type: 'string' }, new_string: { type: 'string' } },
            required: ['old_string', 'new_string'],
          },
        },
      },
      required: ['file_path', 'limit'],
      additionalProperties: false,
    },
    ...(tool === count - 1 ? { cache_control: { type: 'ephemeral' } } : {}),
  }))
}

function makeConversation(turns: number): MessagesBody {
  const code = [readGolden('inventory.py'), readGolden('lease.go'), readGolden('change.diff')]
  const messages: { role: string; content: string | Block[] }[] = [
    { role: 'user', content: [{ type: 'text', text: paragraphs(readGolden('prose.en.txt'))[0] }] },
  ]
  for (let turn = 0; turn < turns; turn += 1) {
    const id = `toolu_bdrk_01${'abcdefgh'.repeat(3)}${turn}`
    const input =
      turn % 2 === 0
        ? { file_path: `/srv/app/part-${turn}.py`, limit: 200 }
        : { file_path: `/srv/app/part-${turn}.py`, content: code[turn % 3]?.slice(0, 900) }
    messages.push({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: paragraphs(readGolden('prose.en.txt'))[turn % 5], signature: 'Eq'.repeat(200) },
        { type: 'text', text: 'I will look at that part next and then change it.' },
        { type: 'tool_use', id, name: turn % 2 === 0 ? 'ReadFile' : 'WriteFile', input },
      ],
    })
    const result = turn % 2 === 0 ? (code[turn % 3] ?? '') : makeLog(turn, 15)
    messages.push({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: id, content: turn % 3 === 0 ? result : [{ type: 'text', text: result }] },
        ...(turn % 4 === 3 ? [{ type: 'text', text: 'Weiter so, bitte auch die Fehlermeldungen prüfen.' }] : []),
      ],
    })
  }
  return { system: [{ type: 'text', text: readGolden('prose.en.txt') }], messages, tools: makeTools(12) }
}

function makeLog(start: number, lines: number): string {
  let seed = start
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return (seed >> 8) % below
  }
  const events = [
    () => `INFO  [http] GET /api/v2/orders/${next(1e6)}?expand=lines 200 ${next(900)}ms bytes=${next(90_000)}`,
    () =>
      `WARN  [pool] connection ${next(64)} idle for ${next(9_000)}s, closing (active=${next(40)}, waiting=${next(9)})`,
    () =>
      `ERROR [worker-${next(8)}] java.util.concurrent.TimeoutException: no reply within 30000 ms\n    at com.example.queue.Consumer.poll(Consumer.java:${next(400)})\n    at com.example.Main.run(Main.java:${next(90)})`,
    () =>
      `DEBUG [trace=${next(2 ** 23).toString(16)}${next(2 ** 23).toString(16)}] cache miss key=user:${next(1e5)}:profile`,
    () =>
      `INFO  [deploy] image registry.example.com/shop/api@sha256:${Array.from({ length: 8 }, () => next(2 ** 22).toString(16)).join('')}`,
  ]
  return Array.from({ length: lines }, (_, line) => {
    const time = `2026-03-${String(1 + (line % 28)).padStart(2, '0')}T${String(next(24)).padStart(2, '0')}:${String(next(60)).padStart(2, '0')}:07.${next(1_000)}Z`
    return `${time} ${events[next(events.length)]?.()}`
  }).join('\n')
}

function paragraphs(text: string): readonly string[] {
  return text.trim().split('\n\n')
}
