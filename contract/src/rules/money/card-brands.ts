/**
 * The displayed names of card brands, by the payment providers' codes; an unknown brand is shown as "card".
 */
export const cardBrands: Readonly<Record<string, string | undefined>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}
