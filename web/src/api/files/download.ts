import { answer } from '../http.ts'

/** Rows received so far, and in total if the server knows. */
export type Received = { rows: number; total: number | undefined }

const endOfLine = 10

const linesIn = (piece: Uint8Array): number =>
  piece.reduce((count, byte) => count + (byte === endOfLine ? 1 : 0), 0)

/** The file name that the server suggests. */
export const nameIn = (response: Response): string | undefined =>
  /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1]

/**
 * Passes the body of a response to `hear`, piece by piece. It uses a reader, because not every browser can
 * iterate over a stream.
 */
export async function piecesOf(
  response: Response,
  hear: (piece: Uint8Array) => void,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const reader = response.body?.getReader()
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    pieces.push(piece.value)
    hear(piece.value)
  }
  return pieces
}

/**
 * Downloads a table that the server streams. `hear` is called with the progress; the heading does not count
 * as a row.
 */
export async function download(
  path: string,
  hear: (received: Received) => void,
  signal: AbortSignal,
): Promise<{ name: string | undefined; file: Blob; rows: number }> {
  const response = await answer(path, { signal, accept: 'text/csv' })
  const total = Number(response.headers.get('x-total-rows')) || undefined
  let lines = 0
  const pieces = await piecesOf(response, (piece) => {
    lines += linesIn(piece)
    hear({ rows: Math.max(0, lines - 1), total })
  })
  return {
    name: nameIn(response),
    file: new Blob(pieces, { type: 'text/csv' }),
    rows: Math.max(0, lines - 1),
  }
}

/** How long the object URL of a saved file stays valid, in milliseconds. */
const keptFor = 60_000

/** Saves a file as if the person had followed a download link. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // Some browsers read the object URL only after a while.
  setTimeout(() => URL.revokeObjectURL(link.href), keptFor)
}
