/** Groups digits by four, as on a card. */
export const numberAsTyped = (text: string): string =>
  (
    text
      .replaceAll(/\D/g, '')
      .slice(0, 19)
      .match(/\d{1,4}/g) ?? []
  ).join(' ')

/** Formats `MM/YY` while it is typed: the slash is added by itself and removed with the digit before it. */
export function expiryAsTyped(text: string, before: string): string {
  const digits = text.replaceAll(/\D/g, '')
  // `4` can only be April.
  const month = /^[2-9]/.test(digits) ? `0${digits}` : digits
  const isErasing = text.length < before.length
  if (isErasing && month.length <= 2) return month
  return month.length >= 2 ? `${month.slice(0, 2)}/${month.slice(2, 4)}` : month
}

/** An expiry `MM/YY` that is some years away on a day. */
export const laterExpiry = (today: Date): string => `12/${String(today.getFullYear() + 4).slice(-2)}`

/** Whether a card's last month, `MM/YY`, was over on a day. */
export function isOver(expiry: string, today: Date): boolean {
  const [month, year] = expiry.split('/').map(Number)
  return (2000 + (year ?? 0)) * 12 + (month ?? 0) <= today.getFullYear() * 12 + today.getMonth()
}
