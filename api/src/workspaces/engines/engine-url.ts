import { type Allowed, isNamed } from '#platform/egress.ts'

/** The address of an engine without a trailing slash, or what is wrong with it. */
type Checked =
  | { readonly url: string }
  | { readonly fault: 'invalid' }
  | { readonly fault: 'plain'; readonly host: string }

/** Checks the address of an engine. Plain http is accepted only for hosts that the operator allowed. */
export function engineUrl(text: string, allowed: Allowed): Checked {
  const url = URL.parse(text)
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    !(url.username || url.password || url.search || url.hash)
  if (!isPlain) return { fault: 'invalid' }
  if (url.protocol === 'http:' && !isNamed(url.hostname, allowed))
    return { fault: 'plain', host: url.hostname }
  return { url: url.href.replace(/\/$/, '') }
}

/** The short name of an engine by its name; empty when the name has no letter of the Latin alphabet. */
export const engineCode = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
