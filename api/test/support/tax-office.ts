import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { makeInvoiceFiles } from '#money/invoices/files.ts'
import { issueInvoice } from '#money/invoices/invoices.ts'
import { tokenColumns } from '#money/tax-office/access.ts'
import { anafOffice } from '#money/tax-office/anaf/anaf-office.ts'
import { readTokens } from '#money/tax-office/anaf/answers.ts'
import { collectDocuments } from '#money/tax-office/collect.ts'
import { noteOffice } from '#money/tax-office/configured-office.ts'
import { type FollowParts, followSent } from '#money/tax-office/follow.ts'
import { searchUnknown } from '#money/tax-office/search-unknown.ts'
import { sendWaiting } from '#money/tax-office/send.ts'
import {
  type StandInAsked,
  type StandInFault,
  StandInOffice,
} from '#money/tax-office/stand-in/stand-in-office.ts'
import type { TaxOffice } from '#money/tax-office/tax-office.ts'
import { systemClock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'
import { type FileStorage, localStorage } from '#platform/files/file-storage.ts'
import { makeOperator } from './documents.ts'
import { testVault } from './mail.ts'

/** An office of our own behind a server of its own, for tests and benches. */
export class OfficeServer {
  /** Decides how a call fails; none by default. */
  fault: (asked: StandInAsked) => StandInFault | undefined = () => undefined
  readonly office: StandInOffice
  /** The calls that it answered, in their order. */
  readonly calls: string[] = []
  readonly #server = http.createServer((request, response) => void this.#serve(request, response))
  readonly #closing = new AbortController()

  constructor(more: { pageSize?: number; lateMs?: number; journal?: string } = {}) {
    this.office = new StandInOffice({
      clock: systemClock,
      secret: 'only for tests',
      fault: (asked) => this.fault(asked),
      ...more,
    })
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { method = 'GET', url = '/' } = request
    this.calls.push(`${method} ${new URL(url, 'http://a').pathname}`)
    const { authorization } = request.headers
    const answer = this.office.answer({ method, url, authorization, body: Buffer.concat(parts) })
    if (answer === null) return void response.destroy()
    if (answer.afterMs !== undefined)
      await sleep(answer.afterMs, undefined, { signal: this.#closing.signal }).catch(() => undefined)
    const location = answer.location !== undefined && { location: answer.location }
    response.writeHead(answer.status, { 'content-type': answer.type ?? 'text/plain', ...location })
    response.end(answer.body)
  }

  /** Listens on the loopback; returns its origin. */
  async listen(): Promise<string> {
    if (!this.#server.listening)
      await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    // A server that listens on TCP has such an address.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#closing.abort()
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** The portal's own client of such an office. */
export const clientOf = (origin: string, more: { patienceMs?: number } = {}): TaxOffice =>
  anafOffice({
    environment: 'prod',
    ...more,
    clientId: 'portico',
    clientSecret: 'secret',
    returnUrl: 'http://localhost:3000/desk/e-factura',
    base: { server: origin, browser: origin },
    clock: systemClock,
  })

/** Documents, a client and a store of files around such an office, as the jobs have them. */
export class OfficeWorld {
  readonly server: OfficeServer
  readonly origin: string
  readonly pool: Pool
  readonly parts: FollowParts
  readonly storage: FileStorage

  constructor(
    pool: Pool,
    server: OfficeServer,
    origin: string,
    parts: FollowParts & { readonly storage: FileStorage },
  ) {
    this.pool = pool
    this.origin = origin
    this.server = server
    this.parts = parts
    this.storage = parts.storage
  }

  /** Opens an office that is switched on, with an operator who can issue documents. */
  static async open(pool: Pool, folder: string, server = new OfficeServer()): Promise<OfficeWorld> {
    await makeOperator(pool)
    const origin = await server.listen()
    const office = clientOf(origin)
    const storage = await localStorage(folder)
    await noteOffice(pool.kysely, office)
    const parts = { db: pool.kysely, vault: testVault, storage, office, now: new Date() }
    const world = new OfficeWorld(pool, server, origin, parts)
    await world.authorise()
    return world
  }

  /** Gives the portal new tokens, and sends from a day that is long past. */
  async authorise(): Promise<void> {
    const now = new Date()
    const tokens = readTokens(Buffer.from(JSON.stringify(this.server.office.issueTokens())), now)
    await this.pool.kysely
      .updateTable('tax_offices')
      .set({ ...tokenColumns(testVault, now, tokens), is_on: true, from_day: '2020-01-01' })
      .where('environment', '=', 'prod')
      .execute()
  }

  /** Issues an invoice with its files. */
  async invoice(clientId: number, net = '50'): Promise<{ id: number; number: string }> {
    const { id, fullNumber } = await this.pool.kysely
      .transaction()
      .execute((tx) => issueInvoice(tx, { clientId, sum: { net } }))
    await this.files(id)
    return { id, number: fullNumber }
  }

  /** Makes the files of a document; what is printed does not matter here. */
  async files(id: number): Promise<void> {
    const { pool, storage } = this
    const documents = { pdf: async () => new Uint8Array([1]) }
    const broken = await makeInvoiceFiles({ pool, vault: testVault, storage, documents }, id)
    if (broken.length > 0) throw new Error(`Document ${id} violates ${broken.join(', ')}.`)
  }

  /** The electronic invoice of a document, as it is kept. */
  async xml(id: number): Promise<Buffer> {
    const found = this.pool.kysely.selectFrom('invoices').select('xml_key').where('id', '=', id)
    const { xml_key } = await found.executeTakeFirstOrThrow()
    const stored = xml_key === null ? null : await this.storage.read(xml_key)
    if (stored === null) throw new Error(`Document ${id} has no electronic invoice.`)
    return buffer(stored)
  }

  /** Puts the documents on the list. */
  async collect(): Promise<void> {
    await collectDocuments(this.pool.kysely, { all: true })
  }

  /** One run of each job, as if everything that waits were due. */
  async run(): Promise<void> {
    const db = this.pool.kysely
    const parts = { ...this.parts, now: new Date() }
    const forever = Number.POSITIVE_INFINITY
    await sql`update tax_offices set paused_until = null, searched_at = null`.execute(db)
    await sql`update e_invoices set next_at = now() where state in ('waiting', 'sent')`.execute(db)
    await this.collect()
    await sendWaiting(parts, forever)
    await followSent(parts, forever)
    await searchUnknown(parts, forever)
    await followSent(parts, forever)
  }

  /** The row of a document. */
  async row(invoiceId: number) {
    return this.pool.kysely
      .selectFrom('e_invoices')
      .select(['id', 'state', 'problem', 'said', 'upload_index', 'due_on', 'tries', 'signed_sha256'])
      .where('invoice_id', '=', invoiceId)
      .executeTakeFirstOrThrow()
  }

  /** How often the office got a document. */
  times(number: string): number {
    return this.server.office.uploads.filter(({ document }) => document.number === number).length
  }
}
