/** Reads server-sent events from an answer. A few lines; a dependency would be larger. */

export interface ServerEvent {
  readonly event: string
  readonly data: string
}

export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (response.body === null) return
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk, { stream: true })
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseBlock(block)
      if (event !== undefined) yield event
    }
  }
}

/** Undefined for comments, which keep a connection alive. */
export function parseBlock(block: string): ServerEvent | undefined {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }
  return data.length === 0 && event === 'message' ? undefined : { event, data: data.join('\n') }
}
