// The currencies of ISO 4217 without minor units, and the forint, whose fillér is not paid any more.
const whole = new Set('BIF CLP DJF GNF HUF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))

/** The decimals of amounts on documents, payments and statements of a currency. */
export const minorUnits = (currency: string): 0 | 2 => (whole.has(currency) ? 0 : 2)
