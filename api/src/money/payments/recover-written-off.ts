import Big from 'big.js'
import { sql } from 'kysely'
import { reopenBill } from '#money/invoices/invoices.ts'
import { writeOffTakenBack } from '#money/ledger/bills.ts'
import type { Movement } from '#money/ledger/movement.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Arrived, openBills, partOf } from './payment-price.ts'

type OpenBill = Awaited<ReturnType<typeof openBills>>[number]

/** Lets a bill ask again for what the arrived money takes back of its write-off. */
async function takeBack(tx: Database, bill: OpenBill, { key, ...movement }: Movement): Promise<void> {
  const { net, vat, gross } = partOf(bill, new Big(bill.recovered), movement.currency)
  await sql`update invoices set written_off = written_off - ${gross}::numeric where id = ${bill.id}`.execute(
    tx,
  )
  await reopenBill(tx, bill.id, gross)
  await writeOffTakenBack(tx, { ...movement, key: `${key}:write-off:${bill.id}`, net, vat })
}

/**
 * The bills that arrived money can pay, oldest first, locked until the end of the transaction. What was written off of the bill
 * that it is for is open again first, so that the loss ends instead of a second deposit with VAT beside it.
 *
 * @param key the idempotency key of the money; that of the write-off taken back begins with it.
 */
export async function billsToPay(
  tx: Database,
  { arrived, ...movement }: Movement & { readonly arrived: Arrived },
): Promise<OpenBill[]> {
  const bills = await openBills(tx, movement.clientId, { arrived, held: true })
  for (const bill of bills) if (new Big(bill.recovered).gt(0)) await takeBack(tx, bill, movement)
  return bills
}
