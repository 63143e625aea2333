import * as z from 'zod/mini'
import { boundedText } from '#platform/http/connections/bounded-text.ts'

/** The tax office's answer about a number; `reference` is the proof of the check. */
export type VatAnswer = {
  readonly status: 'valid' | 'invalid' | 'unavailable'
  readonly reference: string | null
  readonly name: string | null
  readonly address: string | null
  readonly source: string
}

/** A service that validates VAT numbers. An outage is an answer too: `unavailable`. */
export type VatOffice = (number: string, requester: string | null) => Promise<VatAnswer>

const vies = 'https://ec.europa.eu/taxation_customs/vies/rest-api/check-vat-number'

const text = z.optional(z.nullable(z.string()))
const answered = z.object({ valid: z.boolean(), requestIdentifier: text, name: text, address: text })

const unavailable: VatAnswer = {
  status: 'unavailable',
  reference: null,
  name: null,
  address: null,
  source: 'vies',
}

const longestText = 500

/** A text as the database can keep it; the office returns three dashes for data that a member state does not disclose. */
function textOf(value: string | null | undefined): string | null {
  const text = (value ?? '').replaceAll(/[^\P{Cc}\n]|\p{Cs}/gu, '').slice(0, longestText)
  return text === '' || text === '---' ? null : text
}

/**
 * Parses an answer of VIES, the exchange of the EU's tax offices. An error of a member state counts as no
 * answer.
 */
export function readVies(body: unknown): VatAnswer {
  const { data } = z.safeParse(answered, body)
  if (!data) return unavailable
  return {
    status: data.valid ? 'valid' : 'invalid',
    reference: textOf(data.requestIdentifier),
    name: textOf(data.name),
    address: textOf(data.address),
    source: 'vies',
  }
}

// An answer has some hundred bytes.
const mostBytes = 65_536

/** VIES by HTTP. */
export const viesOffice: VatOffice = async (number, requester) => {
  const asked = {
    countryCode: number.slice(0, 2),
    vatNumber: number.slice(2),
    ...(requester && {
      requesterMemberStateCode: requester.slice(0, 2),
      requesterNumber: requester.slice(2),
    }),
  }
  try {
    const answer = await fetch(vies, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    })
    return answer.ok ? readVies(JSON.parse(await boundedText(answer, mostBytes))) : unavailable
  } catch {
    return unavailable
  }
}

/** A listed number with its name and address, as a tax office returns them. */
type Recorded = { readonly number: string; readonly name: string; readonly address: string }

/** Answers from a list, for a demo and for tests: listed numbers are valid. */
export const recordedOffice =
  (valid: readonly (string | Recorded)[]): VatOffice =>
  async (number) => {
    const found = valid.find((one) => (typeof one === 'string' ? one : one.number) === number)
    const company = typeof found === 'object' ? found : { name: null, address: null }
    return {
      status: found === undefined ? 'invalid' : 'valid',
      reference: found === undefined ? null : 'RECORDED',
      name: company.name,
      address: company.address,
      source: 'recorded',
    }
  }
