/** Which words a client id consists of, and whether they are enough to name one model. */

const namePattern = /^[a-z0-9]+(?:[-:][a-z0-9]+)*$/
const wordPattern = /^[a-z]+$/
const versionPattern = /^\d{1,2}$/
/** Without the vendor's own first word, a family must be long enough not to be met by chance. */
const SHORTEST_FAMILY = 3

/** `claude` says nothing about the family; `claude-opus` and `claude-mythos-preview` do. */
export function namesFamily(clientId: string): boolean {
  if (!namePattern.test(clientId)) return false
  const words = clientId.split('-')
  const shortest = words[0] === 'claude' ? 1 : SHORTEST_FAMILY
  return (
    words.length > 1 && words.some((word) => word !== 'claude' && word.length >= shortest && wordPattern.test(word))
  )
}

/** A family and a version number. `claude-sonnet` or `4-5` would fit several models. */
export function namesFullVersion(clientId: string): boolean {
  return namesFamily(clientId) && clientId.split('-').some((word) => versionPattern.test(word))
}
