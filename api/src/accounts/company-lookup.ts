import { inUnion } from '@portico/contract/rules/vat.ts'
import { minuteMs } from '@portico/contract/time.ts'
import { plainVatNumber } from '#money/invoices/vat/vat.ts'
import { canBeVatNumber } from '#money/invoices/vat/vat-checks.ts'
import type { VatOffice } from '#money/invoices/vat/vat-office.ts'
import type { OutsideContext } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'

declare module '#platform/context.ts' {
  interface Ports {
    readonly vatOffice: VatOffice
  }
}

type Asked = { readonly country_id: number; readonly vat_number: string }

const lengths = { company_name: 200, address1: 150, city: 50, zip_code: 20 } as const

const mostPerMinute = 10
const mostRemembered = 5000

// Counted per process: it protects the tax office from one person's repeated requests, and the exact number
// does not matter.
const asked = new Map<number, { since: number; times: number }>()

/** Throws `company_lookups_too_many` when a client looks companies up more often than a form does. */
function assertNotTooOften(client: number, now: Date): void {
  if (asked.size >= mostRemembered) asked.clear()
  const before = asked.get(client)
  const isNew = before === undefined || now.getTime() - before.since >= minuteMs
  const times = isNew ? 1 : before.times + 1
  asked.set(client, { since: isNew ? now.getTime() : before.since, times })
  if (times > mostPerMinute)
    throw refuse('company_lookups_too_many', {}, { headers: { 'retry-after': '60' } })
}

/** The text as one line within the limit of its field; null when it is empty. */
function lineOf(text: string | undefined, longest: number): string | null {
  const plain = text?.replaceAll(/\p{Cc}+|\s+/gu, ' ').trim() ?? ''
  return plain === '' ? null : plain.slice(0, longest)
}

const postCode = /^(?:[A-Z]{1,2}-)?(\d{4,6}|\d{2}-\d{3}|\d{3} \d{2}|\d{4} ?[A-Z]{2})\s+(.+)$/u

/**
 * Splits an address of the tax office where it is unambiguous: a last line with post code and town, as in
 * most countries. Otherwise the whole text becomes the first line for the person to edit.
 */
export function readAddress(text: string | null) {
  const lines = (text ?? '')
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const [, zip, town] = postCode.exec(lines.at(-1) ?? '') ?? []
  const street = zip === undefined ? lines : lines.slice(0, -1)
  return {
    address1: lineOf(street.join(', '), lengths.address1),
    city: lineOf(town, lengths.city),
    zip_code: lineOf(zip, lengths.zip_code),
  }
}

async function numberOf({ within }: OutsideContext, { country_id, vat_number }: Asked) {
  return within(async ({ tx }) => {
    const country = await tx
      .selectFrom('countries')
      .select('code')
      .where('id', '=', country_id)
      .executeTakeFirst()
    const number = country && inUnion(country.code) ? plainVatNumber(vat_number, country.code) : null
    const operator = await tx
      .selectFrom('operator_profile')
      .select(['vat_number', 'country'])
      .executeTakeFirst()
    return { number, requester: operator ? plainVatNumber(operator.vat_number, operator.country) : null }
  })
}

/**
 * Looks a company up to prefill a form. The tax office is one fixed address, and receives only a number in
 * the form of a VAT number. Throws `company_unknown`, `tax_office_unavailable`, `company_lookups_too_many`.
 */
export async function lookUpCompany(outsideContext: OutsideContext, { input }: { readonly input: Asked }) {
  const { number, requester } = await numberOf(outsideContext, input)
  const unknown = refuse('company_unknown', {}, { source: { parameter: 'vat_number' } })
  if (number === null || !canBeVatNumber(number)) throw unknown
  assertNotTooOften(outsideContext.actor.id, outsideContext.now)
  const answer = await outsideContext.ports.vatOffice(number, requester)
  if (answer.status === 'unavailable') throw refuse('tax_office_unavailable')
  if (answer.status === 'invalid') throw unknown
  return {
    vat_number: number,
    company_name: lineOf(answer.name ?? undefined, lengths.company_name),
    ...readAddress(answer.address),
  }
}
