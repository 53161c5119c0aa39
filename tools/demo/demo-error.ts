/** Something went wrong that a person can do something about. */
export class DemoError extends Error {
  readonly advice: string
  /** The newest lines of the log of the program that failed. */
  readonly lines: readonly string[]

  constructor(message: string, advice: string, lines: readonly string[] = []) {
    super(message)
    this.name = 'DemoError'
    this.advice = advice
    this.lines = lines
  }
}

/** Somebody else took a port between the moment it was chosen and the moment it was to be used. */
export class PortMissedError extends DemoError {
  constructor() {
    super('Ports that were free are taken by another program again and again.', 'Choose another one with --port.')
  }
}
