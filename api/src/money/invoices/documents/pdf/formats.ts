import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import Big from 'big.js'
import type { DocumentData } from '#money/invoices/documents/document.ts'

/** An amount as documents show it, in either language: 1,234.50, or 1,234 where a currency has no minor units. */
export function money(exact: string, currency: string): string {
  const [whole = '', decimals = ''] = new Big(exact).abs().toFixed().split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const part = decimals.padEnd(minorUnits(currency), '0')
  return `${new Big(exact).lt(0) ? '−' : ''}${grouped}${part && `.${part}`}`
}

export const bare = (exact: string): string => new Big(exact).toFixed().replace('-', '−')

export const days = (locale: DocumentData['locale']) =>
  new Intl.DateTimeFormat(locale === 'ro' ? 'ro-RO' : 'en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** A day in the format of the language. */
export const day = (iso: string, locale: DocumentData['locale']): string =>
  days(locale).format(Date.parse(iso))
