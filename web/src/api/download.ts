import { answer } from './http.ts'

/** How many rows have come so far, and how many there are, where the server knows. */
export type Received = { rows: number; total: number | undefined }

const endOfLine = 10

const linesIn = (piece: Uint8Array): number =>
  piece.reduce((count, byte) => count + (byte === endOfLine ? 1 : 0), 0)

/** The name that the server gives a file. */
export const nameIn = (response: Response): string | undefined =>
  /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1]

/** What an answer brings, piece by piece; `hear` is told each. By a reader: not every browser walks through a stream by itself. */
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

/** A table that the server sends as it reads it. `hear` is told how far it has come; the heading is no row. */
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

/** How long a file that is being saved is kept for the browser, in milliseconds. */
const keptFor = 60_000

/** Hands a file to the person, as a link that they had chosen to save. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // Some browsers read it only after a while.
  setTimeout(() => URL.revokeObjectURL(link.href), keptFor)
}
