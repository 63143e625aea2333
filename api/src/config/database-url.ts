/** A PostgreSQL database, which one of several servers serves. */
export type DatabaseAddress = {
  readonly database: string
  /** The same address once for each server, in the order to try. */
  readonly urls: readonly string[]
  /** Whether only the server that accepts writes is meant. */
  readonly primaryOnly: boolean
}

const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*)(\/[^?#]+)(\?[^#]*)?$/
const attribute = 'target_session_attrs'

/** A search without a parameter; other parameters keep their text. */
function without(search: string, name: string): string {
  const kept = search
    .slice(1)
    .split('&')
    .filter((one) => one !== '' && !one.startsWith(`${name}=`))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

/**
 * Managed databases hand out `require`, and libpq verifies no certificate then. Here each mode that encrypts also verifies, as
 * `pg` does today and announces to change.
 */
const verified = (search: string): string =>
  search.includes('uselibpqcompat=true')
    ? search
    : search.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')

/** The URLs of the servers; undefined when one of them is invalid. */
function urlsOf(text: string): readonly string[] | undefined {
  const [, before = '', hosts = '', path = '', search = ''] = parts.exec(text) ?? []
  const names = hosts.split(',')
  const urls = names.map((host) => `${before}${host}${path}${verified(without(search, attribute))}`)
  // The parameter names one host, which would be used for each server.
  const named = new URLSearchParams(search).get('host') ?? ''
  if (named.includes(',') || (names.length > 1 && (named !== '' || names.includes('')))) return undefined
  return before !== '' && urls.every((url) => URL.canParse(url)) ? urls : undefined
}

/**
 * Parses an address with one host or several, as libpq writes them:
 * `postgres://user:password@one:5432,two:5432/portico?target_session_attrs=read-write`. Undefined when it is
 * invalid, or when it asks for a server that may be read-only.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress | undefined {
  const urls = /%(?![\da-f]{2})/i.test(text) ? undefined : urlsOf(text)
  if (urls?.[0] === undefined) return undefined
  const { pathname } = new URL(urls[0])
  const asked = new URLSearchParams(text.split('?')[1]).get(attribute)
  if (asked !== null && !['read-write', 'primary'].includes(asked)) return undefined
  return {
    database: decodeURIComponent(pathname.slice(1)),
    urls,
    primaryOnly: urls.length > 1 || asked !== null,
  }
}
