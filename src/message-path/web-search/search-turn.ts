/** One turn with web search: the model asks, the gateway searches, the model goes on, and the client sees one answer. */
import type { ServerResponse } from 'node:http'
import type { StreamTranslator, TranslatedAnswer } from '../dialect.ts'
import type { ResultForm } from './result-blocks.ts'
import { userMessage } from './rewrite-history.ts'
import type { RequestBody } from './rewrite-request.ts'
import { nextRequest } from './rewrite-request.ts'
import type { Fields, RoundContent } from './round-content.ts'
import { createRoundStream, type RoundStream } from './round-stream.ts'
import { joinWhole, readWholeRound, toShownResult } from './round-whole.ts'
import { type AnsweredSearch, createSearches, type SearchesInput } from './run-searches.ts'
import { sumUsage, withSearches } from './sum-usage.ts'

/** More rounds than a real search needs; the last one has to answer. */
const MAX_ROUNDS = 10
/** A model that goes on asking although it was told twice that it may not is not asked again. */
const MAX_REFUSED_ROUNDS = 2

export interface TurnInput extends SearchesInput {
  /** As the first round sends it. */
  readonly request: RequestBody
  /** Searches end when its client leaves. */
  readonly response: ServerResponse
}

/** What became of a round after the model's part of it. */
export interface Searched {
  /** Searches that an engine has answered. */
  readonly webSearches: number
  /** The model must see what was found. */
  readonly goesOn: boolean
  /** The process goes down and its time is up. */
  readonly isStopped: boolean
}

export interface SearchTurn {
  readonly form: ResultForm
  /** For the events of the next round. */
  readonly translateStream: (base: StreamTranslator) => StreamTranslator
  /** After the model's part of a streamed round: what is ready goes to `send`, the end of the turn stays in the translator. */
  readonly afterStream: (send: (bytes: Buffer) => void) => Promise<Searched>
  /** The same for a whole answer, which becomes the answer of the turn when this was its last round. */
  readonly afterWhole: (answer: TranslatedAnswer) => Promise<Searched & { readonly answer: TranslatedAnswer }>
  readonly nextBody: () => Buffer
  readonly stop: () => void
}

export function createSearchTurn(input: TurnInput): SearchTurn {
  const searches = createSearches(input)
  const ending = new AbortController()
  let isStopped = false
  let rounds = 0
  let refusedRounds = 0
  let found = 0
  let usage: Fields = {}
  let stream: RoundStream | undefined
  const added: string[] = []
  const shown: string[] = []
  input.response.once('close', () => ending.abort())
  if (input.response.destroyed) ending.abort()

  const answerCalls = async (content: RoundContent, stopReason: string | null) => {
    rounds += 1
    // A call that was cut off by the token limit is none.
    const calls = stopReason === 'tool_use' ? content.searches : []
    const answered = await searches.run(calls, ending.signal)
    const webSearches = answered.filter(({ isFound }) => isFound).length
    found += webSearches
    if (answered.length > 0 && answered.every(({ isRefused }) => isRefused)) refusedRounds += 1
    const isOurs = answered.length > 0 && content.clientCalls === 0
    const goesOn = isOurs && rounds < MAX_ROUNDS && !ending.signal.aborted
    if (goesOn) added.push(...writeMessages(content, answered))
    // Nobody is left who could answer a call of ours: for the client the turn is simply over.
    return { answered, webSearches, goesOn, isStopped, endsWith: isOurs && !goesOn ? 'end_turn' : null }
  }

  return {
    form: input.form,

    translateStream: (base) => {
      stream = createRoundStream(base, rounds === 0, stream?.nextIndex() ?? 0)
      return stream
    },

    afterStream: async (send) => {
      if (stream === undefined) throw new Error('no round has been streamed')
      const round = stream
      usage = sumUsage(usage, round.usage())
      if (round.content.searches.length > 0) send(round.take())
      const { answered, endsWith, ...searched } = await answerCalls(round.content, round.facts().stopReason)
      for (const { id, content } of answered) round.addResult(id, content)
      if (searched.goesOn) send(round.take())
      else round.addEnd(withSearches(usage, found), endsWith)
      return searched
    },

    afterWhole: async (answer) => {
      const round = readWholeRound(answer)
      usage = sumUsage(usage, round.usage)
      const { answered, endsWith, ...searched } = await answerCalls(round.content, answer.facts.stopReason)
      shown.push(...round.shown, ...answered.map(({ id, content }) => toShownResult(id, content)))
      const whole = searched.goesOn ? answer : joinWhole(round, shown, withSearches(usage, found), endsWith)
      return { ...searched, answer: { ...answer, ...whole } }
    },

    nextBody: () => {
      const mustAnswer = rounds === MAX_ROUNDS - 1 || refusedRounds >= MAX_REFUSED_ROUNDS
      return nextRequest(input.request, added, mustAnswer ? 'answer' : 'go on')
    },

    stop: () => {
      isStopped = true
      ending.abort()
    },
  }
}

function writeMessages({ blocks }: RoundContent, answered: readonly AnsweredSearch[]): readonly string[] {
  const results = answered.map(({ toolResult }) => toolResult)
  return [`{"role":"assistant","content":[${blocks.join(',')}]}`, userMessage(results)]
}
