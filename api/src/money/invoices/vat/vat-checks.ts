import { companyAccount } from '@portico/contract/rules/billing-complete.ts'
import { unionCodes, vatProofDays } from '@portico/contract/rules/vat.ts'
import { checkVAT, countries } from 'jsvat'
import { sql } from 'kysely'
import { alertStaff, resolveAlert } from '#platform/alerts.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { plainVatNumber, proofsOf } from './vat.ts'
import type { VatAnswer, VatOffice } from './vat-office.ts'

/** The database and the service that validates VAT numbers. */
export type VatCheckParts = { readonly pool: Pool; readonly vatOffice: VatOffice }

const misshapen: VatAnswer = {
  status: 'invalid',
  reference: null,
  name: null,
  address: null,
  source: 'shape',
}

/** Belgian numbers begin with 1 since 2023, which the library does not know. */
function isNewBelgian(number: string): boolean {
  const [, body, check] = /^BE(1\d{7})(\d{2})$/.exec(number) ?? []
  return body !== undefined && 97 - (Number(body) % 97) === Number(check)
}

/** Whether a text can be a VAT number of the EU: its length, its letters and its check digits. */
export const canBeVatNumber = (number: string): boolean =>
  checkVAT(number, countries).isValid || isNewBelgian(number)

/** The VAT number of a company in the EU, in the tax offices' form; null for other clients. */
async function numberOf(db: Database, clientId: number): Promise<string | null> {
  const found = await db
    .selectFrom('client_entities as e')
    .innerJoin('countries as c', 'c.id', 'e.country_id')
    .select(['e.vat_number', 'c.code'])
    .where('e.client_id', '=', clientId)
    .where('e.account_type', '=', companyAccount)
    .where('c.code', 'in', unionCodes)
    .executeTakeFirst()
  return found ? plainVatNumber(found.vat_number, found.code) : null
}

type Answered = { readonly clientId: number; readonly number: string; readonly answer: VatAnswer }

/** Alerts staff to a number that was valid and is not any more, before the answer is stored, and ends it when it is again. */
async function alertWhenLost(tx: Database, { clientId, number, answer }: Answered): Promise<void> {
  const about = `client ${clientId}`
  if (answer.status === 'valid') await resolveAlert(tx, about, 'vat_number_invalid')
  if (answer.status !== 'invalid') return
  const proof = (await proofsOf(tx, [clientId]))(clientId, number)
  if (proof?.valid)
    await alertStaff(tx, about, 'vat_number_invalid', { client_id: clientId, vat_number: number })
}

/**
 * Checks a client's VAT number with the tax office and stores the answer. An impossible number is not sent.
 * No transaction is open during the call.
 */
export async function checkVat({ pool, vatOffice }: VatCheckParts, clientId: number): Promise<void> {
  const db = pool.kysely
  const number = await numberOf(db, clientId)
  if (number === null) return
  const operator = await db
    .selectFrom('operator_profile')
    .select(['vat_number', 'country'])
    .executeTakeFirst()
  const answer = canBeVatNumber(number)
    ? await vatOffice(number, operator ? plainVatNumber(operator.vat_number, operator.country) : null)
    : misshapen
  await db.transaction().execute(async (tx) => {
    await alertWhenLost(tx, { clientId, number, answer })
    await sql`insert into vat_checks (client_id, vat_number, status, request_identifier, name, address, source, checked_at)
      values (${clientId}, ${number}, ${answer.status}, ${answer.reference}, ${answer.name}, ${answer.address},
        ${answer.source}, clock_now())`.execute(tx)
  })
}

type Saved = { readonly before: RowOf<'client_entities'>; readonly sent: { readonly vat_number?: unknown } }

/** Queues a check when its inputs changed, or the same number was sent again. */
export async function requestVatCheck(
  { tx }: Context,
  entity: RowOf<'client_entities'>,
  { before, sent }: Saved,
): Promise<void> {
  const same = (['vat_number', 'country_id', 'account_type'] as const).every(
    (name) => entity[name] === before[name],
  )
  if ((!same || sent.vat_number !== undefined) && entity.vat_number !== null)
    await enqueue(tx, 'vat.check', { clientId: entity.client_id }, { key: `vat.check:${entity.client_id}` })
}

/** Stores clients with one of these numbers as checked at this business time: a demo calls no tax office. */
export async function checkedByRecord(tx: Database, numbers: readonly string[]): Promise<void> {
  await sql`insert into vat_checks (client_id, vat_number, status, request_identifier, source, checked_at)
    select client_id, vat_number, 'valid', 'RECORDED', 'recorded', clock_now() from client_entities
    where vat_number = any(${[...numbers]}::text[])`.execute(tx)
}

const beforeDays = 5
// Per hour, which covers 300 000 companies and amounts to one call in seven seconds.
const atOnce = 500

// Registries are late with new numbers, and mend mistakes.
const dailyForDays = 30

/** SQL: when the tax office first called the number of the last check `v` invalid, since it last was valid. */
const invalidSince = sql`(select min(w.checked_at) from vat_checks w
  where w.client_id = v.client_id and w.vat_number = v.vat_number and w.status = 'invalid'
    and not exists (select from vat_checks x where x.client_id = w.client_id and x.vat_number = w.vat_number
      and x.status = 'valid' and x.checked_at > w.checked_at))`

/**
 * Clients whose last check is about to expire, failed, or was negative: the first 30 days each day, then each week. An office
 * outage gets six hours before the retry. A number that cannot be one stays so.
 */
async function dueForCheck(db: Database): Promise<number[]> {
  const { rows } = await sql<{ client_id: number }>`
    select e.client_id from client_entities e
    join countries c on c.id = e.country_id and c.code = any(${unionCodes}::text[])
    left join lateral (select v.client_id, v.vat_number, v.status, v.source, v.checked_at from vat_checks v
      where v.client_id = e.client_id order by v.checked_at desc, v.id desc limit 1) v on true
    where e.account_type = ${companyAccount} and e.vat_number ~ '[A-Za-z0-9]' and (v.status is null
      or (v.status = 'unavailable' and v.checked_at < clock_now() - interval '6 hours')
      or (v.status = 'valid' and v.checked_at < clock_now() - make_interval(days => ${vatProofDays - beforeDays}))
      or (v.status = 'invalid' and v.source <> ${misshapen.source} and v.checked_at < clock_now() - case
        when ${invalidSince} > clock_now() - make_interval(days => ${dailyForDays}) then interval '1 day'
        else interval '7 days' end))
    order by v.checked_at nulls first limit ${atOnce}`.execute(db)
  return rows.map(({ client_id }) => client_id)
}

/** Queues the checks that are due, up to the hourly limit. */
export async function recheckVat(db: Database): Promise<void> {
  for (const clientId of await dueForCheck(db))
    await enqueue(db, 'vat.check', { clientId }, { key: `vat.check:${clientId}` })
}

/** Runs the checks that are due. */
export async function checkDueVat(parts: VatCheckParts): Promise<void> {
  for (const clientId of await dueForCheck(parts.pool.kysely)) await checkVat(parts, clientId)
}
