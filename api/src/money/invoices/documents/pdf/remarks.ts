import Big from 'big.js'
import type { DocumentData } from '#money/invoices/documents/document.ts'
import { exemptionOf, words } from '#money/invoices/documents/words.ts'
import { bare, day, money } from './formats.ts'
import type { Content } from './styles.ts'

/** The payment instructions, or the note that nothing is due. */
function payment(data: DocumentData): string[] {
  const say = words[data.locale]
  const { iban, bank_name } = data.seller
  if (data.kind === 'credit_note') return []
  if (data.cancelled) return [say.notPayable]
  if (new Big(data.total).lte(0)) return [say.settled]
  if (data.kind === 'fiscal' && data.reason === 'advance') return [say.paid]
  const bank =
    iban && `${say.bank} ${[iban, bank_name].filter(Boolean).join(', ')}, ${say.quote} ${data.full_number}.`
  return [
    `${say.payUntil} ${day(data.due_date, data.locale)}: ${money(data.total, data.currency)} ${data.currency}.`,
    ...(bank ? [bank] : []),
    ...(data.kind === 'proforma' ? [say.noFiscal] : []),
  ]
}

/** Why there is no VAT: on a document that mixes treatments, for which amount. */
function exemptionTexts(data: DocumentData): string[] {
  const say = words[data.locale]
  const { vat_groups, currency, locale } = data
  const texts = vat_groups.map((group) => {
    const text = exemptionOf(data, group)?.[locale]
    return text && vat_groups.length > 1
      ? `${say.for} ${money(group.net, currency)} ${currency}: ${text}`
      : text
  })
  return texts.filter((text) => text !== undefined)
}

/** The texts below the sums: payment, exemptions, the VAT in the local currency, notes. */
export function remarks(data: DocumentData): Content {
  const say = words[data.locale]
  const { fx_rate, fx_date } = data
  const local =
    fx_rate !== null &&
    fx_date !== null &&
    `${say.local} ${data.local_currency}: ${money(data.vat_local, data.local_currency)}, ${say.rateOf} 1 ${data.currency} = ${bare(fx_rate)} ${data.local_currency}, ${say.publishedOn} ${day(fx_date, data.locale)}${data.fx_source === 'bnr' ? ` ${say.by} BNR` : ''}.`
  const all = [...payment(data), ...exemptionTexts(data), local, data.notes]
  return {
    margin: [0, 24, 0, 0],
    stack: all
      .filter((text) => typeof text === 'string' && text !== '')
      .map((text) => ({ text: String(text), margin: [0, 0, 0, 4] })),
  }
}
