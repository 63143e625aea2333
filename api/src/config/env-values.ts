import * as z from 'zod/mini'

// What the values of variables may look like.

/** Digits, as the number they write. */
export const wholeNumber = (from: number, to: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number)),
    z.number().check(z.gte(from), z.lte(to)),
  )

/** What stands between commas. */
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

/** The name of a host, as an address has it. */
export const hostName = z
  .string()
  .check(z.regex(/^(?=.{1,253}$)[a-z\d](?:[\w-]*[a-z\d])?(?:\.[a-z\d](?:[\w-]*[a-z\d])?)*$/i))

export const isPostgresUrl = (text: string): boolean =>
  URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol) && new URL(text).pathname.length > 1

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

// Of a folder too, which may lie in others.
export const isImapUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || !/^imaps?:$/.test(url.protocol) || url.hostname === '') return false
  const { username, password, pathname } = url
  if (username === '' || password === '' || url.search + url.hash !== '') return false
  return decodes(username + password + pathname) && !/\p{Cc}/u.test(decodeURIComponent(pathname))
}

// `Name <address>` or the address alone; the name may stand in quotation marks.
const sender = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^\s<>@,;:"]+@[^\s<>@,;:"]+)>|([^\s<>@,;:"]+@[^\s<>@,;:"]+))$/u

/** Whom letters come from, as mail programs write it. */
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

/** Where another program of the own network listens: a host and port, or the path of a socket. */
export const listener = z.pipe(
  z.string().check(z.regex(/^(?:\/.{1,100}|[\w.-]{1,253}:\d{1,5}|\[[\da-f:]+\]:\d{1,5})$/i)),
  z.transform((text: string) => {
    if (text.startsWith('/')) return { path: text }
    const at = text.lastIndexOf(':')
    return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) }
  }),
)

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/** Whether a host, written as in a URL or in HOST, is reached from this machine alone. */
export const isThisMachine = (host: string): boolean => loopback.test(host)

/** An https address without a query, or an http one of this machine: what is fetched there is trusted. */
export const isTrustworthy = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.search || url.hash || url.username || url.password) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname))
}

/** A number above 0 that something is multiplied by. */
export const factor = z.pipe(
  z.pipe(z.string().check(z.regex(/^\d{1,6}(\.\d{1,6})?$/)), z.transform(Number)),
  z.number().check(z.positive()),
)
