import { invoiceFileLocation } from '@portico/contract/calls/file-locations.ts'
import type { archiveRequest, archiveSelection } from '@portico/contract/calls/invoice-files.ts'
import { base } from '@portico/contract/wire.ts'
import type * as z from 'zod/mini'
import { asFailure } from '../failure.ts'
import { answer, type Request } from '../http.ts'
import { nameIn, piecesOf, save } from './download.ts'
import { zipCounter } from './zip-counter.ts'

// A file is generated shortly after its document: the number of attempts to download it, and the pause
// between them in milliseconds.
const [tries, pause] = [6, 2_000]

async function ready(path: string, request: Request, left = tries): Promise<Response> {
  try {
    return await answer(path, request)
  } catch (error) {
    const { code } = asFailure(error)
    if (left <= 1 || (code !== 'document_pdf_not_ready' && code !== 'document_xml_not_ready')) throw error
    await new Promise((resolve) => setTimeout(resolve, pause))
    return ready(path, request, left - 1)
  }
}

/** The files of a document; `signed` is the archive of the tax office. */
export type DocumentFormat = 'pdf' | 'xml' | 'signed'

const files = {
  pdf: { location: invoiceFileLocation.download, extension: 'pdf' },
  xml: { location: invoiceFileLocation.xml, extension: 'xml' },
  signed: { location: invoiceFileLocation.signed, extension: 'zip' },
} as const

/** Saves the file of a document as soon as it is ready. Throws a `Failure`. */
export async function saveDocument(id: number, format: DocumentFormat, number: string): Promise<void> {
  const { location, extension } = files[format]
  const response = await ready(`${base}${location.replace(':id', String(id))}`, {
    accept: `application/${extension}`,
  })
  save(await response.blob(), nameIn(response) ?? `${number}.${extension}`)
}

/** Progress of an archive: documents started, documents in total, bytes received. */
export type Arrived = { begun: number; total: number; bytes: number }

/**
 * Saves the documents of a period, or chosen ones, as one ZIP; returns how many it holds, and how many of them are
 * damaged or missing. `hear` is called with the progress.
 */
export async function saveArchive(
  wanted: z.input<typeof archiveRequest> | z.input<typeof archiveSelection>,
  hear: (arrived: Arrived) => void,
): Promise<{ total: number; missing: number }> {
  // Files are outside of JSON:API, so the request body is plain JSON.
  const response = await answer(`${base}${invoiceFileLocation.archive}`, {
    method: 'POST',
    body: wanted,
    accept: 'application/json',
  })
  const total = Number(response.headers.get('x-total-files'))
  const filesUntil = zipCounter()
  let bytes = 0
  const pieces = await piecesOf(response, (piece) => {
    bytes += piece.byteLength
    hear({ begun: Math.min(filesUntil(piece), total), total, bytes })
  })
  save(new Blob(pieces, { type: 'application/zip' }), nameIn(response) ?? 'documents.zip')
  return { total, missing: Number(response.headers.get('x-missing-files')) }
}
