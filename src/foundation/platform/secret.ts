/** A value that cannot be printed by accident: logs, JSON and inspection show a placeholder; only `reveal` gives it. */
import { inspect } from 'node:util'

export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}
