/** What cards call themselves, by the names that payment providers know them under; a brand without one is a card. */
export const cardBrands: Readonly<Record<string, string | undefined>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}
