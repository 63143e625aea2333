// Control characters and line breaks could end a header, and bidi marks reverse the reading direction.
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu

/** Cleans every text inside a value to one line of well-formed characters. */
export function cleaned<T>(value: T): T {
  const clean = (_: string, inner: unknown) =>
    typeof inner === 'string' ? inner.toWellFormed().replace(unfit, ' ').trim() : inner
  // Only texts change, so the type is the same.
  return JSON.parse(JSON.stringify(value), clean) as T
}

// Text that a mail program would turn into a link (a scheme, a host name, an address), or a phone number.
const advertising = /:\/|www\.|\p{L}\.\p{L}{2}|[@#<>]|\d{4}/iu

/**
 * The name for a letter's greeting; undefined when it is empty or advertises. Anybody can register a
 * stranger's address with an advertisement as the name, and the portal would deliver it.
 */
export const sayable = (name: string): string | undefined =>
  name === '' || name.length > 160 || advertising.test(name) ? undefined : name
