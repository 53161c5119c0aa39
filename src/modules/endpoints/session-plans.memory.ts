/**
 * How the turns of conversations were translated, for models that bind thinking to the bytes before it. Losing an entry
 * is safe: the next turn is planned with the current verdicts. At worst the model refuses the thinking of earlier
 * turns, and the client sends the conversation again without it.
 */
import type { PinnedTurns, SessionPlans } from '../../message-path/ports.ts'

/** Some kilobytes each. */
const MAX_CONVERSATIONS = 2_000

export function createSessionPlans(maxConversations = MAX_CONVERSATIONS): SessionPlans {
  const conversations = new Map<string, readonly PinnedTurns[]>()
  return {
    find: (conversation) => conversations.get(conversation) ?? [],
    keep: (conversation, turns) => {
      // Inserted again, so that the first one is the one that was used the longest time ago.
      conversations.delete(conversation)
      if (conversations.size >= maxConversations) conversations.delete(conversations.keys().next().value ?? '')
      conversations.set(conversation, turns)
    },
  }
}
