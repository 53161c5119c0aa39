export type ReplyRequest = {
  readonly asked: string
  readonly toolResult: string | undefined
  readonly turns: number
  readonly seed: Buffer
}

type Writer = (subject: string, pick: (options: readonly string[]) => string) => string

/** Writes a short, pleasant answer that takes up what was asked, so that a demo reads like a conversation. */
export function composeReply({ asked, toolResult, turns, seed }: ReplyRequest): string {
  let at = 0
  const pick = (options: readonly string[]): string => options[(seed[at++ % seed.length] ?? 0) % options.length] ?? ''
  if (toolResult !== undefined) return afterTool(toolResult, pick)
  const subject = findSubject(asked)
  const writer = writers.find(({ when }) => when.test(asked))?.write ?? explain
  return writer(subject, pick) + (turns > 4 ? `\n\n${pick(closings)}` : '')
}

function findSubject(asked: string): string {
  const line = asked.split('\n').find((part) => part.trim() !== '') ?? ''
  const bare = line
    .trim()
    .replace(/[?!.\s]+$/, '')
    .replace(/^(please|hi|hello|hey|ok|so|and|now)[,!]?\s+/i, '')
    .replace(/^(can|could|would|will) you\s+(please\s+)?/i, '')
    .replace(/^(what|who|where)('s| is| are| was| were)\s+(an?\s+|the\s+)?/i, '')
    .replace(/^(how|why|when)\s+(do|does|did|can|could|should|would|to|is|are)\s+(i|we|you|it)?\s*/i, '')
    .replace(
      /^(explain|describe|summari[sz]e|tell me( more)? about|write|list|give me|show me|compare)\s+(me\s+)?(an?\s+|the\s+)?/i,
      '',
    )
  const short = bare.length > 70 ? `${bare.slice(0, 67).trimEnd()}…` : bare
  return short === '' ? 'that' : short
}

function afterTool(result: string, pick: (options: readonly string[]) => string): string {
  const lines = result.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0)
    return 'The tool finished without any output, so there is nothing to report. Shall I try something else?'
  const shown = lines
    .slice(0, 6)
    .map((line) => (line.length > 160 ? `${line.slice(0, 157)}…` : line))
    .join('\n')
  const more = lines.length > 6 ? `\n\nThere are ${lines.length - 6} more lines.` : ''
  return `${pick(['Here is what came back:', 'The tool answered:', 'Done. The result:'])}\n\n\`\`\`\n${shown}\n\`\`\`${more}\n\n${pick(
    [
      'Tell me if you want me to go further from here.',
      'That looks complete to me. What would you like to do with it?',
      'I can dig into any of this if it helps.',
    ],
  )}`
}

const greet: Writer = (_, pick) =>
  `${pick(['Hello!', 'Hi there!', 'Hello, good to see you.'])} ${pick([
    'What are we working on today?',
    'I can explain code, draft text, or think a problem through with you. Where shall we start?',
    'Ask me anything: a bug, a design question, or just an idea you want to test.',
  ])}`

const thank: Writer = (_, pick) =>
  pick([
    "You're welcome! Anything else?",
    'Glad it helped. I am here if something else comes up.',
    'Any time. Good luck with the rest of it!',
  ])

const code: Writer = (subject, pick) =>
  `${pick(['Here is a small starting point', 'This is how I would begin', 'A compact version'])} for ${subject}:

\`\`\`ts
function greet(names: readonly string[]): string[] {
  return names
    .filter((name) => name.trim() !== '')
    .map((name) => \`Hello, \${name.trim()}!\`)
}
\`\`\`

${pick(['It keeps the input untouched and skips blank entries.', 'Nothing is changed in place, so it is easy to test.'])} ${pick(
    [
      'Paste your real types and I will adapt it.',
      'Tell me where it has to fit and I will adjust the names and error cases.',
    ],
  )}`

const list: Writer = (subject, pick) =>
  `${pick(['A few points', 'Three things worth knowing', 'In short'])} on ${subject}:

1. **Start small.** ${pick(['One working example teaches more than a long plan.', 'Pick the simplest case and make it work end to end.'])}
2. **Measure before you change.** ${pick(['A number you trust settles most arguments.', 'Otherwise you cannot tell an improvement from luck.'])}
3. **Write down why.** ${pick(['The reason is what the next person needs.', 'Code shows what happens, never what was rejected.'])}

${pick(['Which of these should I expand?', 'I can turn this into a checklist if you like.'])}`

const explain: Writer = (subject, pick) =>
  `${pick(['Good question.', 'Happy to help with that.', "Let's take it step by step."])} ${pick([
    `The short version of ${subject} is that a few simple parts work together, and most trouble comes from the places where they meet.`,
    `With ${subject}, the main thing is to be clear about what goes in, what comes out, and what must never change in between.`,
    `People often make ${subject} sound harder than it is: there is one central idea, and the rest follows from it.`,
  ])}

${pick([
  'In practice I would try it on a small example first, look closely at the result, and only then generalise.',
  'A useful way to check your understanding is to predict what happens in an odd case and then try it.',
  'If you are deciding between options, write down what would make you change your mind; that usually shows which one fits.',
])} ${pick(['Want an example?', 'Shall I go deeper into one part?', 'Tell me a little about your situation and I can be more specific.'])}`

const writers: readonly { readonly when: RegExp; readonly write: Writer }[] = [
  { when: /^\s*(hi|hello|hey|good (morning|evening|afternoon)|bonjour|hallo)\b[^?]{0,40}$/i, write: greet },
  { when: /\b(thanks|thank you|cheers|merci|danke)\b/i, write: thank },
  { when: /\b(code|function|typescript|javascript|python|rust|script|regex|refactor|bug)\b/i, write: code },
  { when: /\b(list|steps|tips|ideas|ways|reasons|points|checklist|compare)\b/i, write: list },
]

const closings = [
  'We have covered a fair bit already; say the word if you would like a summary.',
  'By the way, I can pull this whole conversation together into a few bullet points whenever you want.',
]
