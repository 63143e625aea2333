import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { creditNote } from '#money/invoices/credit-notes.ts'
import type { Account } from '#test/support/account.ts'
import { makePayer } from '#test/support/card.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal } from '#test/support/portal.ts'
import { clientOf, OfficeServer, OfficeWorld } from '#test/support/tax-office.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { collectDocuments } from './collect.ts'
import { sendWaiting } from './send.ts'
import type { StandInAsked, StandInFault } from './stand-in/stand-in-office.ts'
import { watchOffice } from './watch.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const { folder, remove } = temporaryFolder()
const world = await OfficeWorld.open(pool, folder, new OfficeServer({ pageSize: 2 }))
let ana: Account

beforeAll(async () => {
  await businessTime(pool, '2026-11-23T10:00:00Z')
})
beforeEach(async () => {
  ana = await makePayer(portal)
  world.server.fault = () => undefined
})
afterAll(() => {
  world.server.close()
  remove()
})

/** Fails the next call of a kind about a document once. */
function failOnce(call: StandInAsked['call'], number: string, fault: StandInFault): void {
  let isLeft = true
  world.server.fault = (asked) => {
    if (!isLeft || asked.call !== call || asked.document?.number !== number) return undefined
    isLeft = false
    return fault
  }
}

const alerts = async (about: string) => {
  const { rows } = await sql<{ kind: string }>`select kind from staff_alerts
    where resolved_at is null and about = ${about} order by kind`.execute(db)
  return rows.map(({ kind }) => kind)
}

/** Makes the electronic invoice of a document this large. */
async function enlarge(id: number, bytes: number): Promise<void> {
  const file = path.join(world.storage.incoming, randomUUID())
  const whole = await world.xml(id)
  const [key, large] = [randomUUID(), Buffer.concat([whole, Buffer.alloc(bytes - whole.length, ' ')])]
  fs.writeFileSync(file, large)
  await world.storage.keep(key, file)
  const sha256 = createHash('sha256').update(large).digest('hex')
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update invoices set xml_key = ${key}, xml_sha256 = ${sha256} where id = ${id}`.execute(tx)
  })
}

test('a file of ten megabytes is sent, and a larger one never: its credit note ends the alert', async () => {
  const [most, more] = [await world.invoice(ana.id), await world.invoice(ana.id)]
  await enlarge(most.id, 10_485_760)
  await enlarge(more.id, 10_485_761)
  await world.run()
  await world.run()
  expect(await world.row(most.id)).toMatchObject({ state: 'accepted' })
  expect(await world.row(more.id)).toMatchObject({
    state: 'rejected',
    problem: 'too_large',
    upload_index: null,
  })
  expect(world.times(more.number)).toBe(0)
  await watchOffice(db, world.parts.office, new Date())
  expect(await alerts(`document ${more.number}`)).toEqual(['einvoice_rejected'])
  await db.transaction().execute((tx) => creditNote(tx, { invoiceId: more.id, reason: { en: 'x', ro: 'x' } }))
  await watchOffice(db, world.parts.office, new Date())
  expect(await alerts(`document ${more.number}`)).toEqual([])
})

test('an invoice is sent once, accepted, and its signed file kept', async () => {
  const { id, number } = await world.invoice(ana.id)
  await world.run()
  expect(await world.row(id)).toMatchObject({ state: 'accepted', due_on: '2026-12-02', problem: null })
  await world.run()
  expect(world.times(number)).toBe(1)
})

test('a consumer’s and a credit note go where the office wants them, and a buyer abroad nowhere', async () => {
  const consumer = await makePayer(portal, null, { company: false })
  const abroad = await makePayer(portal, null, { country: 'US' })
  const { id } = await world.invoice(consumer.id)
  const note = await db
    .transaction()
    .execute((tx) => creditNote(tx, { invoiceId: id, net: '20', reason: { en: 'x', ro: 'x' } }))
  await world.files(note.id)
  const { number } = await world.invoice(abroad.id)
  const before = world.server.calls.length
  await world.run()
  expect(await world.row(note.id)).toMatchObject({ state: 'accepted' })
  const posts = world.server.calls.slice(before).filter((call) => call.startsWith('POST'))
  expect(posts).toEqual(['POST /prod/FCTEL/rest/uploadb2c', 'POST /prod/FCTEL/rest/uploadb2c'])
  expect(world.times(number)).toBe(0)
})

test('a rejected invoice tells the reason and is never sent again; its credit note ends the alert', async () => {
  const { id, number } = await world.invoice(ana.id)
  failOnce('upload', number, 'nok')
  await world.run()
  await world.run()
  expect(await world.row(id)).toMatchObject({
    state: 'rejected',
    said: `BR-RO-120: documentul ${number} nu respecta CIUS-RO`,
  })
  expect(world.times(number)).toBe(1)
  await watchOffice(db, world.parts.office, new Date())
  expect(await alerts(`document ${number}`)).toEqual(['einvoice_rejected'])
  await db
    .transaction()
    .execute((tx) => creditNote(tx, { invoiceId: id, net: '50', reason: { en: 'x', ro: 'x' } }))
  await watchOffice(db, world.parts.office, new Date())
  expect(await alerts(`document ${number}`)).toEqual([])
})

test.each([
  ['lost', 'lost'],
  ['failed_after', 'failed'],
  ['no_index', 'answer_wrong'],
  ['late', 'late'],
] as const)(
  'an answer that is %s after the acceptance leaves an unknown document, which the lists of the office settle',
  async (fault, problem) => {
    const { id, number } = await world.invoice(ana.id)
    failOnce('upload', number, fault)
    const office = fault === 'late' ? clientOf(world.origin, { patienceMs: 500 }) : world.parts.office
    const parts = { ...world.parts, office, now: new Date() }
    await collect()
    await sendWaiting(parts, Number.POSITIVE_INFINITY)
    expect(await world.row(id)).toMatchObject({ state: 'unknown', problem })
    await sendWaiting(parts, Number.POSITIVE_INFINITY)
    expect(world.times(number)).toBe(1)
    await world.run()
    expect(await world.row(id)).toMatchObject({ state: 'accepted' })
    expect(world.times(number)).toBe(1)
  },
)

test('a file of the lists that is broken does not hide the documents after it', async () => {
  const [broken, good] = [await world.invoice(ana.id), await world.invoice(ana.id)]
  world.server.fault = ({ call, document }) => {
    if (call === 'upload') return 'lost'
    return call === 'download' && document?.number === broken.number ? 'hostile' : undefined
  }
  await world.run()
  await sql`update e_invoices set searched_at = null where state = 'unknown'`.execute(db)
  // What was sent by the last run is in the lists of this one.
  await world.run()
  expect(await world.row(good.id)).toMatchObject({ state: 'accepted' })
  expect(await world.row(broken.id)).toMatchObject({ state: 'unknown' })
  // It cannot be said to be missing either.
  const { rows } = await sql`select searched_at from e_invoices where invoice_id = ${broken.id}`.execute(db)
  expect(rows).toEqual([{ searched_at: null }])
})

test('what never arrived stays unknown, and no machine sends it again', async () => {
  const { id, number } = await world.invoice(ana.id)
  failOnce('upload', number, 'failed')
  await world.run()
  await world.run()
  expect(await world.row(id)).toMatchObject({ state: 'unknown', problem: 'failed' })
  expect(world.times(number)).toBe(0)
  const again = sql`update e_invoices set state = 'waiting' where invoice_id = ${id}`.execute(db)
  await expect(again).rejects.toThrow(/e_invoice_fixed/)
})

test('a process that ended while it sent leaves an unknown document', async () => {
  const { id } = await world.invoice(ana.id)
  await collect()
  await sql`update e_invoices set state = 'sending', owner = gen_random_uuid(), begun_at = now(),
    lease_until = now() - interval '1 second' where invoice_id = ${id}`.execute(db)
  await sendWaiting({ ...world.parts, now: new Date() }, Number.POSITIVE_INFINITY)
  expect(await world.row(id)).toMatchObject({ state: 'unknown', problem: 'lease' })
})

test.each([
  ['busy', 'busy', null],
  ['wrong_cif', 'refused', expect.stringContaining('CIF')],
] as const)(
  'an office that is %s did not take the document, which waits and is sent later',
  async (fault, problem, said) => {
    const { id, number } = await world.invoice(ana.id)
    failOnce('upload', number, fault)
    await collect()
    await sendWaiting({ ...world.parts, now: new Date() }, Number.POSITIVE_INFINITY)
    expect(await world.row(id)).toMatchObject({
      state: 'waiting',
      problem,
      said: said ?? 'Too many requests',
    })
    await world.run()
    expect(await world.row(id)).toMatchObject({ state: 'accepted', problem: null })
    expect(world.times(number)).toBe(1)
  },
)

test('an access that the office no longer takes is refreshed, and the document is sent', async () => {
  const { id, number } = await world.invoice(ana.id)
  failOnce('upload', number, 'expired')
  await world.run()
  await world.run()
  expect(await world.row(id)).toMatchObject({ state: 'accepted' })
  expect(world.server.calls).toContain('POST /anaf-oauth2/v1/token')
})

test('without access nothing is sent, and staff are alerted', async () => {
  const { id } = await world.invoice(ana.id)
  await sql`update tax_offices set access_sealed = null, access_ends_at = null, refresh_sealed = ${world.parts.vault.seal('refresh.1.2.3')}
    where in_use`.execute(db)
  await world.run()
  expect(await world.row(id)).toMatchObject({ state: 'waiting', tries: 0 })
  expect(await alerts('e-invoices')).toContain('einvoice_access')
  await world.authorise()
  await world.run()
  expect(await world.row(id)).toMatchObject({ state: 'accepted' })
  await watchOffice(db, world.parts.office, new Date())
  expect(await alerts('e-invoices')).not.toContain('einvoice_access')
})

test('an access that ends within thirty days is an alert', async () => {
  await sql`update tax_offices set refresh_ends_at = now() + interval '29 days' where in_use`.execute(db)
  await watchOffice(db, world.parts.office, new Date())
  expect(await alerts('e-invoices')).toContain('einvoice_access')
  await world.authorise()
  await watchOffice(db, world.parts.office, new Date())
  expect(await alerts('e-invoices')).not.toContain('einvoice_access')
})

test('an outage pauses the sending after three documents', async () => {
  const made = [
    await world.invoice(ana.id),
    await world.invoice(ana.id),
    await world.invoice(ana.id),
    await world.invoice(ana.id),
  ]
  world.server.fault = ({ call }) => (call === 'upload' ? 'failed' : undefined)
  await collect()
  await sql`update tax_offices set failures = 0, paused_until = null`.execute(db)
  await sendWaiting({ ...world.parts, now: new Date() }, Number.POSITIVE_INFINITY)
  const states = await Promise.all(made.map(async ({ id }) => (await world.row(id)).state))
  expect(states).toEqual(['unknown', 'unknown', 'unknown', 'waiting'])
})

test.each([
  ['2026-11-23', 5, '2026-12-02'],
  ['2026-04-08', 5, '2026-04-17'],
  ['2026-12-23', 2, '2026-12-28'],
])('working days skip weekends and the holidays of Romania: %s and %i', async (day, days, expected) => {
  const { rows } = await sql<{
    day: string
    left: number
    past: number
  }>`select working_day_after('RO', ${day}, ${days}) as day,
    working_days_until('RO', ${day}, ${expected}) as left, working_days_until('RO', ${expected}, ${day}) as past`.execute(
    db,
  )
  expect(rows[0]?.day).toBe(expected)
  expect(rows[0]?.left).toBe(days)
})

test('staff are alerted two working days before the deadline, and again one before it', async () => {
  const { id } = await world.invoice(ana.id)
  world.server.fault = ({ call }) => (call === 'upload' ? 'busy' : undefined)
  await world.run()
  await sql`update e_invoices set due_on = '2026-12-02' where state in ('waiting', 'unknown')`.execute(db)
  const seen = async (today: string) => {
    await businessTime(pool, `${today}T10:00:00Z`)
    await watchOffice(db, world.parts.office, new Date())
    return (await alerts('e-invoices')).filter((kind) => kind.startsWith('einvoice_due'))
  }
  expect((await world.row(id)).due_on).toBe('2026-12-02')
  expect(await seen('2026-11-25')).toEqual([])
  expect(await seen('2026-11-26')).toEqual(['einvoice_due_soon'])
  expect(await seen('2026-11-27')).toEqual(['einvoice_due_now'])
  // One that the office has and says nothing about is not accepted either.
  world.server.fault = ({ call }) => (call === 'state' ? 'busy' : undefined)
  await world.run()
  expect((await world.row(id)).state).toBe('sent')
  expect(await seen('2026-11-27')).toEqual(['einvoice_due_now'])
  await businessTime(pool, '2026-11-23T10:00:00Z')
})

async function collect(): Promise<void> {
  await sql`update tax_offices set paused_until = null, failures = 0, searched_at = now()`.execute(db)
  await collectDocuments(db, { all: true })
  await sql`update e_invoices set next_at = now() where state = 'waiting'`.execute(db)
}
