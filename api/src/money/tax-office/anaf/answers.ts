import { day } from '@portico/contract/fields.ts'
import Big from 'big.js'
import * as z from 'zod/mini'
import {
  type OfficeAnswer,
  type OfficeDocument,
  OfficeError,
  type OfficeMessage,
  type OfficeState,
  type OfficeTokens,
} from '#money/tax-office/tax-office.ts'
import { words } from './call.ts'
import { unzip } from './unzip.ts'
import { attributesOf, readXml, textAt } from './xml.ts'

// The office's ids are numbers of up to some ten digits.
const id = z.string().check(z.regex(/^\d{1,30}$/))
const idOf = (value: string | undefined): string | undefined => z.safeParse(id, value).data

function jsonOf<S extends z.ZodMiniType>(bytes: Buffer, schema: S): z.output<S> {
  try {
    return z.parse(schema, JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    throw new OfficeError('answer_wrong', null, error)
  }
}

const saidIn = (elements: ReturnType<typeof readXml>): string | null =>
  words(
    [
      ...attributesOf(elements, 'Errors', 'errorMessage'),
      ...attributesOf(elements, 'Error', 'errorMessage'),
    ].join(' '),
  )

/** The index of an upload. Throws `refused` with the reason, and `answer_wrong` for an answer without either. */
export function readUpload(bytes: Buffer): string {
  const elements = readXml(bytes.toString('utf8'))
  const [status] = attributesOf(elements, 'header', 'ExecutionStatus')
  const index = idOf(attributesOf(elements, 'header', 'index_incarcare')[0])
  if (status === '0' && index !== undefined) return index
  if (status === '1' && index === undefined) throw new OfficeError('refused', saidIn(elements))
  throw new OfficeError('answer_wrong', words(bytes.toString('utf8', 0, 1000)))
}

/** The state of an upload. Throws `refused` where the office does not know it. */
export function readState(bytes: Buffer): OfficeState {
  const elements = readXml(bytes.toString('utf8'))
  const state = attributesOf(elements, 'header', 'stare')[0]?.toLowerCase()
  const downloadId = idOf(attributesOf(elements, 'header', 'id_descarcare')[0])
  const said = saidIn(elements)
  if (state === 'in prelucrare') return { state: 'in_process' }
  if ((state === 'ok' || state === 'nok') && downloadId !== undefined) return { state, downloadId }
  if (state?.startsWith('xml cu erori')) return { state: 'errors', said: said ?? state }
  if (state === undefined && said !== null) throw new OfficeError('refused', said)
  throw new OfficeError('answer_wrong', words(bytes.toString('utf8', 0, 1000)))
}

const amount = z.string().check(z.regex(/^-?\d{1,14}(?:\.\d{1,6})?$/))

// As the database keeps them.
const stated = z.object({
  number: z.string().check(z.regex(/^\P{Cc}{1,200}$/u)),
  issueDate: day,
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  total: amount,
})

/** The document of an electronic invoice; undefined where it is none. */
function documentIn(elements: ReturnType<typeof readXml>): OfficeDocument | undefined {
  const [root] = elements
  if (root?.path !== 'Invoice' && root?.path !== 'CreditNote') return undefined
  const at = (path: string) => textAt(elements, `${root.path}/${path}`)
  const { data, error } = z.safeParse(stated, {
    number: at('ID'),
    issueDate: at('IssueDate'),
    currency: at('DocumentCurrencyCode'),
    total: at('LegalMonetaryTotal/TaxInclusiveAmount'),
  })
  if (error) throw new OfficeError('answer_wrong', null, error)
  return { ...data, total: new Big(data.total).abs().toFixed(2) }
}

/** The signed archive of a document: the document itself, or the reasons against it, with the ministry's signature. */
export function readDownload(zip: Buffer): OfficeAnswer {
  const files = [...unzip(zip)]
  const signature = files.find(([name]) => /^semnatura/i.test(name))
  const main = files.find(([name]) => name !== signature?.[0] && /\.xml$/i.test(name))
  if (!signature || !main)
    throw new OfficeError('answer_wrong', null, new Error('The archive lacks the document or the signature.'))
  const elements = readXml(main[1].toString('utf8'))
  const document = documentIn(elements) ?? null
  const reasons = attributesOf(elements, 'Error', 'errorMessage').flatMap((one) => words(one) ?? [])
  if (document === null && reasons.length === 0)
    throw new OfficeError('answer_wrong', null, new Error('The archive has neither a document nor reasons.'))
  return { zip, document, reasons }
}

const listed = z.object({
  mesaje: z.optional(z.array(z.object({ id, id_solicitare: id, tip: z.string() }))),
  numar_total_pagini: z.optional(z.int().check(z.gte(0), z.lte(100_000))),
  eroare: z.optional(z.string()),
})

/** One page of the lists; the office says by an error that there is nothing. */
export function readMessages(bytes: Buffer): {
  messages: readonly OfficeMessage[]
  pages: number
} {
  const { mesaje, numar_total_pagini: pages = 1, eroare } = jsonOf(bytes, listed)
  if (mesaje === undefined && !/^nu exista mesaje/i.test(eroare ?? ''))
    throw new OfficeError(eroare === undefined ? 'answer_wrong' : 'refused', words(eroare ?? ''))
  const messages = (mesaje ?? []).map(({ id: messageId, id_solicitare: uploadIndex, tip }) => ({
    id: messageId,
    uploadIndex,
    isSent: tip === 'FACTURA TRIMISA',
  }))
  return { messages, pages }
}

const token = z.string().check(z.regex(/^[\x21-\x7e]{1,8000}$/))
const tokens = z.object({
  access_token: token,
  refresh_token: token,
  expires_in: z.int().check(z.gte(60), z.lte(400 * 86_400)),
})

/** The tokens of an answer that came at a time. */
export function readTokens(bytes: Buffer, now: Date): OfficeTokens {
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = jsonOf(bytes, tokens)
  return { access, refresh, accessEndsAt: new Date(now.getTime() + seconds * 1000).toISOString() }
}
