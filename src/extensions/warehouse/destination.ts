/** Where files go. A file is written under a temporary name first and appears whole or not at all. */

export interface Destination {
  /** Where to write the file before it is published. Removes what an earlier try has left behind. */
  readonly prepare: (folder: string, name: string) => Promise<string>
  /** Replaces a file of this name: a repeated try leaves one file. */
  readonly publish: (path: string, folder: string, name: string) => Promise<void>
  /** The same for a small text. */
  readonly publishText: (text: string, folder: string, name: string) => Promise<void>
  readonly close: () => void
}
