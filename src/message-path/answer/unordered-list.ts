/** Holds what comes and goes with every call, such as open streams. */

/** `place` belongs to the bag; -1 means that the member is in none. */
export interface ListMember {
  place: number
}

/**
 * An array and not a Set: a Set with steady traffic is rebuilt again and again, and every table it leaves behind keeps
 * its last members reachable until the next full collection. Each finished call would move to the old generation.
 */
export class UnorderedList<T extends ListMember> {
  readonly #members: T[] = []

  get size(): number {
    return this.#members.length
  }

  add(member: T): void {
    if (member.place >= 0) return
    member.place = this.#members.length
    this.#members.push(member)
  }

  /** False when it was not there. */
  remove(member: T): boolean {
    const { place } = member
    if (place < 0) return false
    const last = this.#members.pop()
    if (last !== undefined && last !== member) {
      this.#members[place] = last
      last.place = place
    }
    member.place = -1
    return true
  }

  /** A copy: members may leave while it is read. */
  all(): readonly T[] {
    return this.#members.slice()
  }
}
