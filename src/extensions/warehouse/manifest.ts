/** What stands in the manifest of a day: the files that have its records, and what they add up to. */

export interface ListedFile {
  readonly part: number
  readonly name: string
  readonly records: number
  readonly costNanoUsd: number
  readonly writtenAtMs: number
}

/** Files without a record are not written, so they are not listed. Whole nano-dollars are text: some readers of JSON round. */
export function writeManifest(day: string, files: readonly ListedFile[]): string {
  const listed = files.filter(({ records }) => records > 0)
  const manifest = {
    format: 1,
    day,
    records: listed.reduce((sum, { records }) => sum + records, 0),
    cost_nano_usd: String(listed.reduce((sum, { costNanoUsd }) => sum + BigInt(costNanoUsd), 0n)),
    files: listed.map((file) => ({
      name: file.name,
      part: file.part,
      records: file.records,
      cost_nano_usd: String(file.costNanoUsd),
      written_at: new Date(file.writtenAtMs).toISOString(),
    })),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
