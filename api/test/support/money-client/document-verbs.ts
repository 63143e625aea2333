import { sql } from 'kysely'
import { closeMonth } from '#money/invoices/month/close.ts'
import { pay } from '#test/support/card.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import { camt, type Entry, importFile } from '#test/support/statements.ts'
import { iban, type Life } from './life.ts'
import { sendOff } from './payment-verbs.ts'

// What happens to documents, transfers, and to the buyer.

const buyers = [
  { country: 'RO' },
  { country: 'DE', company: false },
  { country: 'DE', company: true, vatNumber: 'DE136695976' },
  { country: 'HU', company: false },
  { country: 'US', company: false },
] as const

async function use(life: Life): Promise<boolean> {
  const amount = life.choices.oneOf('5', '12.34', '20', '40')
  life.log.push(`use ${amount}`)
  await used(life.portal.db, life.client, [life.day], amount)
  return true
}

async function close(life: Life): Promise<boolean> {
  life.months++
  const day = (month: number, on: number) => new Date(Date.UTC(2026, month, on)).toISOString().slice(0, 10)
  life.day = day(9 + life.months, 2)
  await businessTime(life.portal.portal.pool, `${life.day}T10:00:00Z`)
  const month = { from: day(8 + life.months, 1), until: day(9 + life.months, 1) }
  const bill = await life.portal.db.transaction().execute((tx) => closeMonth(tx, life.client.id, month))
  life.log.push(`close until ${month.until}: ${bill?.total}`)
  return bill !== undefined
}

async function invoice(life: Life): Promise<boolean> {
  const line = () => ({
    description_en: 'Set-up',
    quantity: 1,
    unit_price: life.choices.oneOf(16, 10, 8.88),
  })
  const lines = life.choices.below(2) ? [line()] : [line(), line()]
  const url = `desk-clients/${life.client.id}/-actions/manualInvoice`
  return life.granted(`invoice ${lines.map(({ unit_price }) => unit_price)}`, await life.act(url, { lines }))
}

async function payBill(life: Life): Promise<boolean> {
  const bill = await life.bill()
  if (!bill) return false
  const wish = { purpose: 'service_bill', invoice_id: bill.id }
  return life.granted(`pay bill ${bill.id}`, await pay(life.own, wish))
}

async function transfer(life: Life): Promise<boolean> {
  const bill = await life.bill()
  if (!bill) return false
  const { total, due, lost } = bill
  const amount = life.choices.oneOf(total, Math.max(due, 0.01), 5.01, total + 7, Math.max(lost, 1))
  const input = {
    amount: Number(amount.toFixed(2)),
    received_on: life.day,
    reference: life.reference('TR'),
  }
  const url = `invoices/${bill.id}/-actions/recordBankTransfer`
  return life.granted(`transfer ${input.amount} for ${bill.id}`, await life.act(url, input))
}

/** Imports a line of a statement; its id. */
async function imported(life: Life, entry: Entry & { readonly reference: string }): Promise<number> {
  life.granted(`line ${entry.amount}`, await importFile(life.staff, camt([entry])))
  const [line] = await life.rows(
    sql<{ id: number }>`select id from bank_lines where bank_reference = ${entry.reference}`,
  )
  if (!line) throw new Error('A line of a statement was not imported.')
  return line.id
}

async function statementLine(life: Life): Promise<boolean> {
  const bill = await life.bill()
  const amount = life.choices.oneOf(bill?.total ?? 9, 5.01, 30).toFixed(2)
  const text = life.reference('LN')
  const line = await imported(life, { amount, text, reference: text, day: life.day, payer: text, iban: text })
  const target = bill && life.choices.below(2) ? { invoice_id: bill.id } : { client_id: life.client.id }
  const done = await life.act(`bank-lines/${line}/-actions/matchLine`, target)
  return life.granted(`match ${JSON.stringify(target)}`, done)
}

/** A line that shows a transfer which was recorded by hand under another reference. */
async function tie(life: Life): Promise<boolean> {
  const [paid] = await life.rows(
    sql<{
      id: number
      gross: string
    }>`select id, gross from payments p where client_id = ${life.client.id} and provider = 'bank'
      and bank_line_id is null and status <> 'refunded' and not exists (select from bank_lines where payment_id = p.id) limit 1`,
  )
  if (!paid) return false
  const reference = life.reference('LN')
  const line = await imported(life, { amount: paid.gross, text: 'x', reference, day: life.day })
  const done = await life.act(`bank-lines/${line}/-actions/matchLine`, { payment_id: paid.id })
  return life.granted(`tie ${paid.id}`, done)
}

async function undoMatch(life: Life): Promise<boolean> {
  const lines = await life.rows(
    sql<{ id: number }>`select id from bank_lines where client_id = ${life.client.id} and state = 'matched'
      order by id desc limit 3`,
  )
  const line = life.choices.one(lines)
  if (!line) return false
  return life.granted(`undo ${line.id}`, await life.act(`bank-lines/${line.id}/-actions/undoMatch`))
}

async function credit(life: Life): Promise<boolean> {
  const bill = await life.bill()
  if (!bill) return false
  const to = life.choices.oneOf<{ to?: string; iban?: string }>({}, {}, { to: 'card' }, { to: 'bank', iban })
  const part = life.choices.oneOf<{ net?: number; lines?: number[] }>(
    {},
    { net: life.choices.cents(8) },
    { lines: [1 + life.choices.below(3)] },
  )
  const input = { reason: 'Wrong', ...to, ...part }
  const done = await life.act(`invoices/${bill.id}/-actions/creditNote`, input)
  if (!life.granted(`credit ${bill.id} ${JSON.stringify(input)}`, done)) return false
  const { refund_id: refund } = JSON.parse(done.text)
  if (refund !== null && to.to === 'card') await sendOff(life, refund)
  return true
}

/** A line of a month is credited, also of one that deposits paid ahead. A later refund may find what is on the balance. */
async function creditLine(life: Life): Promise<boolean> {
  const months = await life.rows(
    sql<{ id: number; lines: number }>`select i.id, count(*)::int as lines
      from invoices i join invoice_lines l on l.invoice_id = i.id and l.kind <> 'advance_regularisation'
      where i.client_id = ${life.client.id} and i.kind = 'fiscal' and i.reason = 'service_bill'
      group by i.id order by i.id desc limit 3`,
  )
  const month = life.choices.one(months)
  if (!month) return false
  const to = life.choices.oneOf<{ to?: string }>({}, {}, { to: 'card' })
  const input = { reason: 'Wrong', lines: [1 + life.choices.below(month.lines)], ...to }
  const done = await life.act(`invoices/${month.id}/-actions/creditNote`, input)
  if (!life.granted(`credit ${month.id} ${JSON.stringify(input)}`, done)) return false
  if (to.to === 'card') await sendOff(life, JSON.parse(done.text).refund_id)
  return true
}

async function storno(life: Life): Promise<boolean> {
  const deposits = await life.rows(
    sql<{ id: number }>`select id from invoices where client_id = ${life.client.id} and kind = 'fiscal'
      and reason = 'advance' and vat > 0 and credited < total order by id desc limit 4`,
  )
  const deposit = life.choices.one(deposits)
  if (!deposit) return false
  // Half of them have no electronic invoice, and may get other VAT.
  if (life.choices.below(2))
    await sql`update invoices set pdf_key = 'made', pdf_sha256 = repeat('0', 64) where id = ${deposit.id} and pdf_key is null`.execute(
      life.portal.db,
    )
  const done = await life.act(`invoices/${deposit.id}/-actions/storno`, { reason: 'Wrong' })
  return life.granted(`storno ${deposit.id}`, done)
}

async function writeOff(life: Life): Promise<boolean> {
  const bill = await life.bill()
  if (!bill) return false
  const input = life.choices.below(2) ? {} : { amount: life.choices.cents(8) }
  const done = await life.act(`invoices/${bill.id}/-actions/writeOff`, input)
  return life.granted(`write off ${bill.id} ${JSON.stringify(input)}`, done)
}

async function move(life: Life): Promise<boolean> {
  const { db, portal } = life.portal
  const buyer = life.choices.one(buyers) ?? buyers[0]
  life.log.push(`move to ${JSON.stringify(buyer)}`)
  await makeBuyer(portal.pool, life.client, buyer)
  await sql`delete from vat_checks where client_id = ${life.client.id}`.execute(db)
  if ('vatNumber' in buyer)
    await sql`insert into vat_checks (client_id, vat_number, status, source, checked_at)
      values (${life.client.id}, ${buyer.vatNumber}, 'valid', 'test', clock_now())`.execute(db)
  return true
}

export const documentVerbs = {
  use,
  close,
  invoice,
  payBill,
  transfer,
  statementLine,
  tie,
  undoMatch,
  credit,
  creditLine,
  storno,
  writeOff,
  move,
}
