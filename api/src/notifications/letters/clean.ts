// Controls and breaks of the line, which could end a header, and marks that turn the reading direction.
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu

/** Every text inside a value, however deep, as one line of well-formed characters. */
export function cleaned<T>(value: T): T {
  const clean = (_: string, inner: unknown) =>
    typeof inner === 'string' ? inner.toWellFormed().replace(unfit, ' ').trim() : inner
  // Texts become texts and the rest stays as it is, so the type does too.
  return JSON.parse(JSON.stringify(value), clean) as T
}

// What a mail program would turn into a link: a scheme, a host name, an address; or a number that one is asked to call.
const advertising = /:\/|www\.|\p{L}\.\p{L}{2}|[@#<>]|\d{4}/iu

/**
 * The name that a letter may greet somebody by. Anybody can register somebody else's address under a "name" that
 * advertises, and the portal would deliver it; undefined then, and when nothing is left.
 */
export const sayable = (name: string): string | undefined =>
  name === '' || name.length > 160 || advertising.test(name) ? undefined : name
