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

// By process: this keeps a person from asking the office on and on in the portal's name, and is no promise of a number.
const asked = new Map<number, { since: number; times: number }>()

/** Throws `company_lookups_too_many` for whoever asks more often than a form does. */
function assertNotTooOften(client: number, now: Date): void {
  if (asked.size >= mostRemembered) asked.clear()
  const before = asked.get(client)
  const isNew = before === undefined || now.getTime() - before.since >= minuteMs
  const times = isNew ? 1 : before.times + 1
  asked.set(client, { since: isNew ? now.getTime() : before.since, times })
  if (times > mostPerMinute)
    throw refuse('company_lookups_too_many', {}, { headers: { 'retry-after': '60' } })
}

/** One line, no longer than its field; nothing for what says nothing. */
function lineOf(text: string | undefined, longest: number): string | null {
  const plain = text?.replaceAll(/\p{Cc}+|\s+/gu, ' ').trim() ?? ''
  return plain === '' ? null : plain.slice(0, longest)
}

const postCode = /^(?:[A-Z]{1,2}-)?(\d{4,6}|\d{2}-\d{3}|\d{3} \d{2}|\d{4} ?[A-Z]{2})\s+(.+)$/u

/**
 * An address as the office writes it, taken apart where that is certain: a last line of a post code and a town, as most
 * countries write it. Otherwise all of it is the first line, for the person to put in order.
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
      .select(['code', 'is_eu'])
      .where('id', '=', country_id)
      .executeTakeFirst()
    const number = country?.is_eu ? plainVatNumber(vat_number, country.code) : null
    const operator = await tx
      .selectFrom('operator_profile')
      .select(['vat_number', 'country'])
      .executeTakeFirst()
    return { number, requester: operator ? plainVatNumber(operator.vat_number, operator.country) : null }
  })
}

/**
 * What the office tells of a company, to fill a form with. The office is one fixed address, and of what was sent only a number
 * goes there whose form is that of a VAT number. Throws `company_unknown`, `tax_office_unavailable`,
 * `company_lookups_too_many`.
 */
export async function lookUpCompany(scene: OutsideContext, { input }: { readonly input: Asked }) {
  const { number, requester } = await numberOf(scene, input)
  const unknown = refuse('company_unknown', {}, { source: { parameter: 'vat_number' } })
  if (number === null || !canBeVatNumber(number)) throw unknown
  assertNotTooOften(scene.actor.id, scene.now)
  const answer = await scene.ports.vatOffice(number, requester)
  if (answer.status === 'unavailable') throw refuse('tax_office_unavailable')
  if (answer.status === 'invalid') throw unknown
  return {
    vat_number: number,
    company_name: lineOf(answer.name ?? undefined, lengths.company_name),
    ...readAddress(answer.address),
  }
}
