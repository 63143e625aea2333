import { randomUUID } from 'node:crypto'
import os from 'node:os'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { creditNote } from '#money/invoices/credit-notes.ts'
import { type DocumentParts, makeInvoiceFiles } from '#money/invoices/files.ts'
import { issueInvoice } from '#money/invoices/invoices.ts'
import { deposit } from '#money/ledger/deposits.ts'
import { makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeBuyer, makeOperator, newSeries } from '#test/support/documents.ts'
import { testVault } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { closeDueMonth } from './month/close-run.ts'

// Each kind of buyer by each kind of document, through the product's own rules for electronic invoices.

const { pool } = await testDatabase()
const db = pool.kysely
const parts: DocumentParts = {
  pool,
  vault: testVault,
  documents: { pdf: async () => new Uint8Array([1]) },
  storage: {
    incoming: os.tmpdir(),
    keep: async () => undefined,
    read: async () => {
      throw new Error('Nothing is read.')
    },
    remove: async () => undefined,
  },
}

beforeAll(() => makeOperator(pool))

type Buyer = Parameters<typeof makeBuyer>[2] & {
  /** Whether the tax office said that the number is valid. */
  readonly proven?: boolean
  readonly registration?: string
}
type Client = Awaited<ReturnType<typeof makeAccount>>

async function become({ id }: Client, { proven, registration, ...buyer }: Buyer): Promise<void> {
  await makeBuyer(pool, { id }, buyer)
  await sql`update client_entities set registration_number = ${registration ?? null} where client_id = ${id}`.execute(
    db,
  )
  if (proven)
    await sql`insert into vat_checks (client_id, vat_number, status, source, checked_at)
      values (${id}, ${buyer.vatNumber}, 'valid', 'test', clock_now())`.execute(db)
}

const topUp = (clientId: number) =>
  db.transaction().execute(async (tx) => {
    const issued = await issueInvoice(tx, { clientId, sum: { net: '50' } })
    const [group] = issued.groups
    const vat = group && { amount: group.vat, country: group.country, rate: group.rate }
    const key = randomUUID()
    await deposit(tx, {
      key,
      clientId,
      currency: 'USD',
      net: issued.net,
      means: 'psp:sandbox',
      ...(vat && { vat }),
    })
    return issued
  })

async function use({ id, panels }: Client, dollars: number): Promise<void> {
  await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select '2026-10-05', ${panels[0] ?? 0}, 'server/server1', m.id, ${String(dollars)}::numeric / p.unit_price, 1
    from meters m join prices p on p.meter_id = m.id where m.code = 'disk_gb_hours'`.execute(db)
  await sql`select usage_rate(5000)`.execute(db)
  await sql`select charge_client_day(${id}, '2026-10-05')`.execute(db)
}

/** The kinds of buyer: as it is when it pays ahead, and as it is on the last of the month. */
const romanian: Buyer = { country: 'RO', vatNumber: 'RO14399840' }
const german: Buyer = { country: 'DE', vatNumber: 'DE136695976', proven: true }
const germanConsumer: Buyer = { country: 'DE', company: false }
const american: Buyer = { country: 'US' }
const buyers: readonly (readonly [name: string, first: Buyer, then?: Buyer])[] = [
  ['a company in Romania', romanian],
  ['a company in Romania without VAT', { country: 'RO', registration: '14399840' }],
  ['a company in Romania without any number', { country: 'RO' }],
  ['a person in Romania', { country: 'RO', company: false }],
  ['a person who was a company', { country: 'RO', company: false, vatNumber: 'RO14399840' }],
  ['a company in the EU', german],
  ['a company in the EU without proof', { country: 'DE', vatNumber: 'DE136695976' }],
  ['a company in Greece', { country: 'GR', vatNumber: 'EL094259216', proven: true }],
  ['a person in the EU', germanConsumer],
  ['a company outside the EU', american],
  ['a person outside the EU', { country: 'US', company: false }],
  ['a company on the Canary Islands', { country: 'ES', zip: '35001', vatNumber: 'ESB58378431' }],
  ['a company whose number lost its proof', german, { country: 'DE', vatNumber: 'DE136695976' }],
  ['a company that moved to Romania', german, romanian],
  ['a person who moved within the EU', germanConsumer, { country: 'HU', company: false }],
  ['a person to whom VAT is owed back', { country: 'HU', company: false }, { country: 'LU', company: false }],
]

let months = 0

const cases = buyers.map(([name, first, then = first]) => [name, first, then] as const)

test.each(cases)('%s: every document has an electronic invoice', async (_, first, then) => {
  await sql`update client_entities set city = null`.execute(db)
  months += 1
  await newSeries(pool)
  await businessTime(pool, '2026-09-20T10:00:00Z')
  const client = await makeAccount(pool, { projects: 1, panels: 1, opening: null })
  await become(client, first)
  const advance = await topUp(client.id)
  await topUp(client.id)
  await db
    .transaction()
    .execute((tx) =>
      creditNote(tx, { invoiceId: advance.id, net: '20', reason: { en: 'Not needed', ro: 'Nefolosit' } }),
    )
  await use(client, months % 2 === 0 ? 60 : 130)
  await businessTime(pool, '2026-11-01T02:00:00Z')
  await become(client, then)
  await closeDueMonth(db, (_, error) => {
    throw error
  })
  const documents = await db
    .selectFrom('invoices')
    .select(['id', 'full_number', 'reason'])
    .where('client_id', '=', client.id)
    .orderBy('id')
    .execute()
  expect(documents.map(({ reason }) => reason).slice(0, 4)).toEqual([
    'advance',
    'advance',
    'storno',
    'service_bill',
  ])
  const warnings: string[] = []
  for (const { id } of documents) warnings.push(...(await makeInvoiceFiles(parts, id)))
  expect(warnings).toEqual([])
})
