import { fileLocation } from '@portico/contract/calls/file-locations.ts'
import { base, mediaType } from '@portico/contract/wire.ts'
import { accessToken } from '../../stores/session.ts'
import { asFailure, failureOf } from '../failure.ts'
import { type Sent, withFreshToken } from '../http.ts'
import { type Document, type Row, toRow } from '../rows.ts'
import { newTrace, traceparent } from '../trace.ts'

export type FileRow = Row<'ticket-files'>

/** Receives the progress of an upload, from 0 to 1. */
type Hear = (share: number) => void

const headersIn = (request: XMLHttpRequest): [string, string][] =>
  ['content-type', 'retry-after', 'x-request-id'].flatMap((name) => {
    const value = request.getResponseHeader(name)
    return value === null ? [] : [[name, value]]
  })

/** XMLHttpRequest is used because fetch reports no upload progress. */
function send(file: File, hear: Hear, signal: AbortSignal, trace: string): Promise<Sent> {
  const token = accessToken()
  const request = new XMLHttpRequest()
  request.open('POST', `${base}${fileLocation.upload}?filename=${encodeURIComponent(file.name)}`)
  request.setRequestHeader('accept', mediaType)
  request.setRequestHeader('traceparent', traceparent(trace))
  request.setRequestHeader('content-type', 'application/octet-stream')
  if (token !== undefined) request.setRequestHeader('authorization', `Bearer ${token}`)
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => hear(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const { status, responseText } = request
      resolve({ token, response: new Response(responseText, { status, headers: headersIn(request) }) })
    }
    request.onerror = () => reject(new TypeError('No answer.'))
    request.onabort = () => reject(new DOMException('', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

/** Uploads a file, which a ticket or a message can then reference. Throws only a `Failure`. */
export async function upload(file: File, hear: Hear, signal: AbortSignal): Promise<FileRow> {
  const trace = newTrace()
  try {
    const again = () => send(file, hear, signal, trace)
    const response = await withFreshToken(await again(), again)
    if (!response.ok) throw await failureOf(response, trace)
    // The response has the shape of the contract, as in `query.ts`.
    return toRow<'ticket-files', never>((await response.json()) as Document)
  } catch (error) {
    throw asFailure(error, trace)
  }
}
