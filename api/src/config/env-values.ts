import * as z from 'zod/mini'
import { parseDatabaseUrl } from './database-url.ts'

// Parsers of variable values.

/** A whole number within bounds. */
export const wholeNumber = (from: number, to: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number)),
    z.number().check(z.gte(from), z.lte(to)),
  )

/** A comma-separated list. */
export const list = <T>(item: z.ZodMiniType<T, string>) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text: string) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      ),
    ),
    z.array(item),
  )

/** A host name. */
export const hostName = z
  .string()
  .check(z.regex(/^(?=.{1,253}$)[a-z\d](?:[\w-]*[a-z\d])?(?:\.[a-z\d](?:[\w-]*[a-z\d])?)*$/i))

/** Whether an address names one server, in any role. */
export const isOneDatabase = (text: string): boolean => parseDatabaseUrl(text)?.primaryOnly === false

export const isPostgresUrl = (text: string): boolean => parseDatabaseUrl(text) !== undefined

function decodes(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

export const isSmtpUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false
  return url.search + url.hash === '' && /^\/?$/.test(url.pathname) && decodes(url.username + url.password)
}

// Accepts nested folders too.
export const isImapUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || !/^imaps?:$/.test(url.protocol) || url.hostname === '') return false
  const { username, password, pathname } = url
  if (username === '' || password === '' || url.search + url.hash !== '') return false
  return decodes(username + password + pathname) && !/\p{Cc}/u.test(decodeURIComponent(pathname))
}

// `Name <address>` or the address alone; the name may be quoted.
const sender = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^\s<>@,;:"]+@[^\s<>@,;:"]+)>|([^\s<>@,;:"]+@[^\s<>@,;:"]+))$/u

/** The sender of letters, in the format of mail programs. */
export const mailbox = z.pipe(
  z.string().check(z.regex(sender)),
  z.transform((text: string) => {
    const [, name = '', inBrackets, alone = ''] = sender.exec(text) ?? []
    return { name, address: inBrackets ?? alone }
  }),
)

export const isOrigin = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
}

/** The address of a local service: a host and port, or the path of a socket. */
export const listener = z.pipe(
  z.string().check(z.regex(/^(?:\/.{1,100}|[\w.-]{1,253}:\d{1,5}|\[[\da-f:]+\]:\d{1,5})$/i)),
  z.transform((text: string) => {
    if (text.startsWith('/')) return { path: text }
    const at = text.lastIndexOf(':')
    return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) }
  }),
)

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/** Whether a host, as in a URL or in HOST, is this machine. */
export const isThisMachine = (host: string): boolean => loopback.test(host)

/** Whether an address is trusted for fetching: https without a query, or http on this machine. */
export const isTrustworthy = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.search || url.hash || url.username || url.password) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname))
}

/** An address with a path, without what could hold a secret. */
export const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return (
    url !== null && /^https?:$/.test(url.protocol) && !(url.search + url.hash + url.username + url.password)
  )
}

/** Headers as OpenTelemetry writes them: `name=value,name=value`, with percent escapes. */
export const headerList = z.pipe(
  z
    .string()
    .check(z.regex(/^[\w-]+=[\x21-\x2b\x2d-\x7e]+(?:,[\w-]+=[\x21-\x2b\x2d-\x7e]+)*$/), z.refine(decodes)),
  z.transform((text: string) =>
    Object.fromEntries(
      text.split(',').map((pair) => {
        const at = pair.indexOf('=')
        return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))]
      }),
    ),
  ),
)

/** A share from 0 to 1. */
export const share = z.pipe(
  z.pipe(z.string().check(z.regex(/^\d(\.\d{1,9})?$/)), z.transform(Number)),
  z.number().check(z.lte(1)),
)

/** A positive factor. */
export const factor = z.pipe(
  z.pipe(z.string().check(z.regex(/^\d{1,6}(\.\d{1,6})?$/)), z.transform(Number)),
  z.number().check(z.positive()),
)
