import { OfficeError, type OfficeFault } from '#money/tax-office/tax-office.ts'

type Request = Omit<RequestInit, 'headers'> & { readonly headers: Readonly<Record<string, string>> }

type Limits = { readonly ms: number; readonly mostBytes: number }

export type Answered = { readonly status: number; readonly bytes: Buffer }

const longestWords = 500

/** The office's words as one line of limited length; null where there are none. */
export function words(text: string): string | null {
  const plain = text.replaceAll(/[\p{Cc}\p{Bidi_Control}]+|\s+/gu, ' ').trim()
  // By characters: half of one cannot be stored in an alert.
  const cut = [...plain.slice(0, 2 * longestWords)].slice(0, longestWords).join('').toWellFormed()
  return cut === '' ? null : cut
}

// The request did not leave, because no connection was made.
const unconnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH']

function faultOf(error: unknown): OfficeFault {
  if (!(error instanceof Error)) return 'lost'
  if (error.name === 'TimeoutError') return 'late'
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return unconnected.includes(code) ? 'unreachable' : 'lost'
}

async function bytesOf(answer: Response, mostBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.length
    if (size > mostBytes) throw new OfficeError('answer_too_large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** One call within its limits, without following a redirect. Throws `OfficeError` when there is no whole answer. */
async function answerOf(url: string, request: Request, { ms, mostBytes }: Limits): Promise<Answered> {
  try {
    const signal = AbortSignal.timeout(ms)
    // A kept connection may be closed by the office just as a document is sent, and its outcome would be unknown.
    const headers = { ...request.headers, connection: 'close' }
    const answer = await fetch(url, { ...request, headers, redirect: 'manual', signal })
    return { status: answer.status, bytes: await bytesOf(answer, mostBytes) }
  } catch (error) {
    throw error instanceof OfficeError ? error : new OfficeError(faultOf(error), null, error)
  }
}

const clearStatuses: Readonly<Record<number, OfficeFault>> = {
  401: 'unauthorised',
  403: 'unauthorised',
  429: 'busy',
}

function failureOf({ status, bytes }: Answered): OfficeError {
  const said = words(bytes.toString('utf8', 0, 4 * longestWords))
  // 408 says that the office stopped waiting, and not what it had read.
  if (status >= 400 && status < 500 && status !== 408)
    return new OfficeError(clearStatuses[status] ?? 'refused', said)
  return new OfficeError(status >= 400 ? 'failed' : 'answer_wrong', said)
}

/** The bytes of a good answer. Throws `OfficeError` for every other outcome. */
export async function callOffice(url: string, request: Request, limits: Limits): Promise<Buffer> {
  const answer = await answerOf(url, request, limits)
  if (answer.status !== 200) throw failureOf(answer)
  return answer.bytes
}
