import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import fs from 'node:fs'
import { dayMs } from '@portico/contract/time.ts'
import type { Clock } from '#platform/clock.ts'
import {
  documentOf,
  errorsXml,
  headerXml,
  type StandInDocument,
  type StandInUpload,
  signedZip,
} from './files.ts'

// An office of our own with the published calls of the tax office, for the demo and for tests. It fails on request.

/**
 * How a call fails: after `lost`, `failed_after`, `no_index` and `late` the document was taken all the same. `nok` takes it and
 * rejects it.
 */
export type StandInFault =
  | 'lost'
  | 'failed_after'
  | 'no_index'
  | 'late'
  | 'failed'
  | 'busy'
  | 'expired'
  | 'wrong_cif'
  | 'nok'
  | 'huge'
  | 'hostile'

export type StandInAsked = {
  readonly call: 'token' | 'upload' | 'state' | 'download' | 'list'
  readonly document?: StandInDocument | undefined
}

export type StandInRequest = {
  readonly method: string
  /** With the query. */
  readonly url: string
  readonly authorization: string | undefined
  readonly body: Buffer
}

export type StandInAnswer = {
  readonly status: number
  readonly type?: string
  readonly location?: string
  readonly body: string | Buffer
  /** The time in milliseconds before it answers. */
  readonly afterMs?: number
}

type Settings = {
  readonly clock: Clock
  /** Signs tokens and so outlives a restart. */
  readonly secret: string
  readonly fault?: (asked: StandInAsked) => StandInFault | undefined
  /** The time that it takes to process a document, and that a late answer takes. */
  readonly processingMs?: number
  readonly lateMs?: number
  readonly pageSize?: number
  /** Where uploads are kept over restarts. */
  readonly journal?: string
}

const xml = (body: string): StandInAnswer => ({ status: 200, type: 'application/xml', body })
const json = (body: unknown, status = 200): StandInAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
})
const notFound: StandInAnswer = { status: 404, body: 'Not found' }

const accessMs = 90 * dayMs
const refreshMs = 365 * dayMs
const firstIndex = 5_000_000_001

const environmentOf = (path: string): string => /\/(test|prod)\//.exec(path)?.[1] ?? ''

export class StandInOffice {
  readonly uploads: StandInUpload[] = []
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
    const { journal } = settings
    if (journal !== undefined && fs.existsSync(journal))
      for (const line of fs.readFileSync(journal, 'utf8').split('\n').filter(Boolean))
        this.uploads.push(JSON.parse(line))
  }

  /** A token that only this office could have made. */
  #token(kind: 'access' | 'refresh' | 'code', ms: number): string {
    const text = `${kind}.${this.#settings.clock.now().getTime() + ms}.${randomUUID()}`
    return `${text}.${this.#sign(text)}`
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#settings.secret).update(text).digest('base64url')
  }

  #isToken(kind: string, token: string): boolean {
    const at = token.lastIndexOf('.')
    const text = token.slice(0, at)
    const [signed, given] = [Buffer.from(this.#sign(text)), Buffer.from(token.slice(at + 1))]
    const [found, ends] = text.split('.')
    const isGenuine = signed.length === given.length && timingSafeEqual(signed, given)
    return isGenuine && found === kind && Number(ends) > this.#settings.clock.now().getTime()
  }

  /** Tokens as an authorisation gives them. */
  issueTokens() {
    return {
      access_token: this.#token('access', accessMs),
      refresh_token: this.#token('refresh', refreshMs),
      expires_in: accessMs / 1000,
      token_type: 'Bearer',
    }
  }

  /** Answers a call; null closes the connection without an answer. */
  answer(request: StandInRequest): StandInAnswer | null {
    const { pathname, searchParams } = new URL(request.url, 'http://office.test')
    const call = pathname.replace(/^.*\/(?:rest|v1)\//, '')
    if (call === 'authorize') return this.#authorise(searchParams)
    if (call === 'token') return this.#tokens(request)
    const token = request.authorization?.replace(/^Bearer /, '') ?? ''
    if (!this.#isToken('access', token)) return { status: 401, body: 'Unauthorized' }
    if (call === 'upload' || call === 'uploadb2c') return this.#upload(request, searchParams, pathname)
    if (call === 'stareMesaj') return this.#state(searchParams.get('id_incarcare'))
    if (call === 'descarcare') return this.#download(searchParams.get('id'))
    return call === 'listaMesajePaginatieFactura'
      ? this.#list(searchParams, environmentOf(pathname))
      : notFound
  }

  #faultOf(asked: StandInAsked): StandInFault | undefined {
    return this.#settings.fault?.(asked)
  }

  #failed(fault: StandInFault | undefined): StandInAnswer | undefined {
    switch (fault) {
      case 'failed':
        return { status: 502, body: 'Bad gateway' }
      case 'busy':
        return { status: 429, body: 'Too many requests' }
      case 'expired':
        return { status: 401, body: 'Token expired' }
      case 'huge':
        return { status: 200, type: 'text/plain', body: Buffer.alloc(20_000_000, ' ') }
      case 'hostile':
        return xml('<!DOCTYPE a [<!ENTITY b "c">]><header>&b;</header>')
      default:
        return undefined
    }
  }

  #authorise(query: URLSearchParams): StandInAnswer {
    const back = new URL(query.get('redirect_uri') ?? '/', 'http://localhost')
    back.searchParams.set('code', this.#token('code', 60_000))
    back.searchParams.set('state', query.get('state') ?? '')
    return { status: 302, location: back.href, body: '' }
  }

  #tokens({ authorization, body }: StandInRequest): StandInAnswer {
    const form = new URLSearchParams(body.toString('utf8'))
    const failed = this.#failed(this.#faultOf({ call: 'token' }))
    if (failed) return failed
    const isGood =
      this.#isToken('code', form.get('code') ?? '') ||
      this.#isToken('refresh', form.get('refresh_token') ?? '')
    if (!authorization?.startsWith('Basic ') || !isGood) return json({ error: 'invalid_grant' }, 400)
    return json(this.issueTokens())
  }

  #upload({ body }: StandInRequest, query: URLSearchParams, path: string): StandInAnswer | null {
    const document = documentOf(body)
    const now = this.#settings.clock.now()
    const refused = (said: string) => xml(headerXml({ ExecutionStatus: '1' }, said))
    if (document === undefined) return refused('Fisierul transmis nu este valid.')
    if (document.standard !== query.get('standard')) return refused('Standardul nu corespunde documentului.')
    const fault = this.#faultOf({ call: 'upload', document })
    const failed = this.#failed(fault)
    if (failed) return failed
    const cif = query.get('cif') ?? ''
    if (fault === 'wrong_cif' || document.cif !== cif)
      return refused(`Nu exista niciun CIF pentru care sa aveti drept in SPV: ${cif}`)
    const index = String(firstIndex + this.uploads.length)
    const isNok = fault === 'nok'
    const upload = {
      index,
      cif,
      at: now.getTime(),
      environment: environmentOf(path),
      isNok,
      document,
      xml: body.toString('utf8'),
    }
    this.uploads.push(upload)
    const { journal } = this.#settings
    if (journal !== undefined) fs.appendFileSync(journal, `${JSON.stringify(upload)}\n`)
    const answer = xml(
      headerXml({ dateResponse: String(now.getTime()), ExecutionStatus: '0', index_incarcare: index }),
    )
    if (fault === 'lost') return null
    if (fault === 'failed_after') return { status: 500, body: 'Internal error' }
    if (fault === 'no_index') return xml(headerXml({ ExecutionStatus: '0' }))
    return fault === 'late' ? { ...answer, afterMs: this.#settings.lateMs ?? 60_000 } : answer
  }

  /** The id of a signed file follows from the index. */
  #fileOf(id: string | null): StandInUpload | undefined {
    return this.uploads.find(({ index }) => `9${index}` === id)
  }

  #state(index: string | null): StandInAnswer {
    const upload = this.uploads.find((one) => one.index === index)
    const failed = this.#failed(this.#faultOf({ call: 'state', document: upload?.document }))
    if (failed) return failed
    if (!upload) return xml(headerXml({}, `Nu exista factura cu id_incarcare= ${index}`))
    if (upload.at + (this.#settings.processingMs ?? 0) > this.#settings.clock.now().getTime())
      return xml(headerXml({ stare: 'in prelucrare' }))
    return xml(headerXml({ stare: upload.isNok ? 'nok' : 'ok', id_descarcare: `9${upload.index}` }))
  }

  #download(id: string | null): StandInAnswer {
    const upload = this.#fileOf(id)
    const failed = this.#failed(this.#faultOf({ call: 'download', document: upload?.document }))
    if (failed) return failed
    if (!upload) return json({ eroare: `Pentru id=${id} nu exista inregistrata nici o factura` })
    const content = upload.isNok ? errorsXml(upload) : upload.xml
    return { status: 200, type: 'application/zip', body: signedZip(upload.index, content) }
  }

  #list(query: URLSearchParams, environment: string): StandInAnswer {
    const failed = this.#failed(this.#faultOf({ call: 'list' }))
    if (failed) return failed
    const [from, until] = [Number(query.get('startTime')), Number(query.get('endTime'))]
    const size = this.#settings.pageSize ?? 500
    const page = Number(query.get('pagina'))
    const all = this.uploads.filter(
      (one) =>
        one.environment === environment && one.cif === query.get('cif') && one.at >= from && one.at <= until,
    )
    const mesaje = all.slice((page - 1) * size, page * size).map(({ index, cif, isNok, at }) => ({
      data_creare: new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 12),
      cif,
      id_solicitare: index,
      detalii: `Factura cu id_incarcare=${index} emisa de cif_emitent=${cif}`,
      tip: isNok ? 'ERORI FACTURA' : 'FACTURA TRIMISA',
      id: `9${index}`,
    }))
    if (mesaje.length === 0) return json({ eroare: 'Nu exista mesaje in intervalul selectat' })
    return json({ mesaje, numar_total_pagini: Math.ceil(all.length / size) })
  }
}
