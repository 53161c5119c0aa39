/** A body that came in one piece is that piece; only several have to be copied together. */
export function joinChunks(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}
