/** Sends a file and tells how much of it has gone, which `fetch` cannot. Only the client calls it, so that every write is known there. */
const STALLED_MS = 30_000
/** The gateway has read the file by then; what it looks up may take longer. */
const ANSWER_MS = 300_000

export interface Upload {
  readonly file: Blob
  /** Bytes that have gone. */
  readonly onProgress: (sent: number) => void
  readonly signal?: AbortSignal | undefined
}

export function sendFile(
  address: string,
  headers: Readonly<Record<string, string>>,
  upload: Upload,
): Promise<Response> {
  const { file, onProgress, signal } = upload
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    const waitFor = (ms: number): void => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        fail(new DOMException('no answer in time', 'TimeoutError'))
        request.abort()
      }, ms)
    }
    const fail = (error: unknown): void => {
      clearTimeout(timer)
      reject(error)
    }
    request.open('POST', address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => {
      onProgress(loaded)
      waitFor(STALLED_MS)
    }
    request.upload.onload = () => {
      onProgress(file.size)
      waitFor(ANSWER_MS)
    }
    request.onload = () => {
      clearTimeout(timer)
      const id = request.getResponseHeader('request-id')
      const answered = { status: request.status, headers: id === null ? {} : { 'request-id': id } }
      resolve(new Response(request.responseText, answered))
    }
    request.onerror = () => fail(new TypeError('the connection broke'))
    request.onabort = () => fail(new DOMException('stopped', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    waitFor(STALLED_MS)
    request.send(file)
  })
}
