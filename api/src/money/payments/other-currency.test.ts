import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { bankDesk } from '#test/support/bank-desk.ts'
import { keyed } from '#test/support/card.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { offerCurrencies } from '#test/support/newcomer.ts'
import { camt, type Entry, importFile } from '#test/support/statements.ts'

// Money for a proforma of an account whose currency was changed since.

const { portal, pool, db, importer: billing } = await bankDesk()
await offerCurrencies(pool, 'RON')
await sql`insert into fx_rates (base, quote, published_on, rate, source)
  values ('RON', 'USD', '2020-01-01', 0.2, 'recorded')`.execute(db)
let lines = 0

afterEach(async () => {
  expect(portal.bugs.splice(0)).toEqual([])
  expect(await verifyLedger(db)).toEqual([])
})

async function newClient(): Promise<Account> {
  const account = await makeAccount(pool, { projects: 1, panels: 0, opening: null })
  await makeBuyer(pool, account)
  return account
}

const url = ({ id }: Account, verb: string) => `${base}/desk-clients/${id}/-actions/${verb}`
const keptIn = (ana: Account, currency: string) =>
  billing.post(url(ana, 'changeCurrency'), { data: { currency } })

async function proformaOf(ana: Account, net = 50): Promise<number> {
  const asked = await keyed(billing, `${base}/invoices/-actions/requestProforma`, {
    data: { net, client_id: ana.id },
  })
  expect(asked.faults).toEqual([])
  return JSON.parse(asked.text).invoice_id
}

const record = (id: number, amount = 60.5) =>
  keyed(billing, `${base}/invoices/${id}/-actions/recordBankTransfer`, {
    amount,
    received_on: '2026-03-19',
    reference: `OP ${++lines}`,
  })

/** An account in lei with a proforma in dollars that no longer keeps its currency. */
async function changed(end: 'cancelled' | 'expired') {
  const ana = await newClient()
  const id = await proformaOf(ana)
  if (end === 'cancelled') await billing.post(`${base}/invoices/${id}/-actions/cancelProforma`, {})
  else
    await sql`update invoices set invoice_status_id = invoice_status('expired') where id = ${id}`.execute(db)
  expect((await keptIn(ana, 'RON')).faults).toEqual([])
  return { ana, id }
}

async function balance({ id }: Account): Promise<unknown> {
  const { one } = await billing.get(`${base}/desk-clients/${id}`)
  return [one.attributes?.currency, one.attributes?.account_balance]
}

test.each(['cancelled', 'expired'] as const)(
  'a transfer for a proforma that was %s before the currency changed is refused, and booked in either currency',
  async (end) => {
    const { ana, id } = await changed(end)
    const refused = await record(id)
    expect(refused.faults).toEqual(['409 transfer_currency_changed'])
    const { detail } = JSON.parse(refused.text).errors[0]
    expect(detail).toContain('USD')
    expect(detail).toContain('RON')
    // What arrived in lei, at a proforma of now.
    expect((await record(await proformaOf(ana, 200), 100)).faults).toEqual([])
    // Now it cannot be changed back; another client's can.
    const other = await changed(end)
    expect((await keptIn(other.ana, 'USD')).faults).toEqual([])
    expect((await record(other.id)).faults).toEqual([])
    expect(await balance(other.ana)).toEqual(['USD', 50])
  },
)

test('a line for such a proforma says why it is not confirmed, and the others of its file are', async () => {
  const { ana, id } = await changed('expired')
  const bob = await newClient()
  const entry = async (proforma: number): Promise<Entry> => ({
    amount: '60.50',
    text: String((await billing.get(`${base}/invoices/${proforma}`)).one.attributes?.full_number),
    reference: `L${proforma}`,
  })
  const entries = [await entry(id), await entry(await proformaOf(bob))]
  // Proposed while the account was in dollars.
  await keptIn(ana, 'USD')
  await importFile(billing, camt(entries))
  await keptIn(ana, 'RON')
  const confirmed = await billing.post(`${base}/bank-lines/-actions/confirmCertain`, {})
  expect(JSON.parse(confirmed.text)).toMatchObject({ confirmed: 1, failed: 1 })
  const { list } = await billing.get(`${base}/bank-lines?filter[search]=L${id}`)
  expect(list[0]?.attributes).toMatchObject({ state: 'open', problem: 'transfer_currency_changed' })
  const match = (target: object) =>
    billing.post(`${base}/bank-lines/${list[0]?.id}/-actions/matchLine`, target)
  expect((await match({ invoice_id: id })).faults).toEqual(['409 transfer_currency_changed'])
  expect((await match({ client_id: ana.id })).faults).toEqual(['422 bank_line_currency'])
  await keptIn(ana, 'USD')
  expect((await match({ client_id: ana.id })).faults).toEqual([])
})
