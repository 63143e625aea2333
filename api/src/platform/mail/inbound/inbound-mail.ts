import { createHash } from 'node:crypto'
import vm from 'node:vm'
import EmailReplyParser from 'email-reply-parser'
import type { Email } from 'postal-mime'

/** The parts of an incoming mail that a ticket uses. */
export type InboundMail = {
  /** From its header, else a hash of its bytes: the same mail has the same id. */
  readonly messageId: string
  /** The one From address; undefined when there is none or several. */
  readonly from: string | undefined
  /** Every address in the recipient and delivery headers. */
  readonly to: readonly string[]
  readonly subject: string
  /** The new text, without the quoted part. */
  readonly text: string
  /** The kind of an automatic mail (bounce, absence, list); undefined for a person's mail. */
  readonly automatic: string | undefined
  /** The DMARC verdict of our own mail server; undefined when it did not check. */
  readonly dmarc: string | undefined
  readonly attachments: readonly { readonly filename: string; readonly content: Uint8Array }[]
}

const header = ({ headers }: Email, name: string): string | undefined =>
  headers.find(({ key }) => key === name)?.value

const automaticHeaders: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['auto-submitted', /^(?!no\b)/i],
  ['precedence', /^(?:bulk|junk|list|auto_reply)\b/i],
  ['list-id', /./],
  ['list-unsubscribe', /./],
  ['x-autoreply', /./],
  ['x-autorespond', /./],
  ['content-type', /^multipart\/report\b/i],
]

function automaticBy(mail: Email): string | undefined {
  // A bounce has an empty return path.
  if (['', '<>'].includes(header(mail, 'return-path')?.trim() ?? 'somebody')) return 'return-path'
  const says = ([name, pattern]: (typeof automaticHeaders)[number]) => {
    const value = header(mail, name)
    return value !== undefined && pattern.test(value)
  }
  return automaticHeaders.find(says)?.[0]
}

// The headers with delivery addresses, which differ by mail server.
const deliveredTo = new Set(['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'])

const mailboxes = (all: Email['to']): string[] =>
  (all ?? [])
    .flatMap((one) => one.group ?? [one])
    .flatMap(({ address }) => (address === undefined || address === '' ? [] : [address]))

/**
 * The address between the last `<` and the first `>` after it, without a pattern: a header can have a
 * megabyte.
 */
function addressIn(value: string): string {
  const from = value.lastIndexOf('<') + 1
  const to = value.indexOf('>', from)
  return value.slice(from, to < 0 ? undefined : to).trim()
}

function addressesOf(mail: Email): string[] {
  const delivered = mail.headers.filter(({ key }) => deliveredTo.has(key)).map(({ value }) => value)
  return [...mailboxes(mail.to), ...mailboxes(mail.cc), ...delivered.map(addressIn)]
}

/** The text outside quotes and comments, which the sender controls. Read once from left to right. */
function bareOf(value: string): string {
  let bare = ''
  let comments = 0
  let isQuoted = false
  for (const [token] of value.matchAll(/\\.|[^\\]/gs)) {
    if (isQuoted) isQuoted = token !== '"'
    else if (token === '(') comments += 1
    else if (token === ')') comments = Math.max(0, comments - 1)
    else if (comments === 0 && token === '"') isQuoted = true
    else if (comments === 0) bare += token
  }
  return bare
}

/**
 * The verdict in the topmost header of our own server; verdicts that came with the mail are untrusted. Two
 * verdicts count as none.
 */
function dmarcOf(mail: Email, authserv: string | undefined): string | undefined {
  const value = header(mail, 'authentication-results')
  if (authserv === undefined || value === undefined) return undefined
  const [by = '', ...results] = bareOf(value).split(';')
  if (by.trim().split(/\s/)[0]?.toLowerCase() !== authserv.toLowerCase()) return undefined
  const found = results.flatMap((one) => /^\s*dmarc\s*=\s*(\w+)/i.exec(one)?.[1]?.toLowerCase() ?? [])
  return found.length === 1 ? found[0] : undefined
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
}

/**
 * The text of an HTML page. The result is plain text, so its accuracy has no security effect. A tag is
 * matched up to the next `<` only: a page of nothing but `<` would otherwise take quadratic time.
 */
const wordsOf = (html: string): string =>
  html
    .slice(0, 500_000)
    .replace(/<(script|style|head)\b[\s\S]*?(?:<\/\1>|$)/gi, '')
    .replace(/<(?:br|\/p|\/div|\/tr|\/li)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? '')

// The parser has many patterns, and a crafted text can keep them busy. The time limit of the worker would lose the mail.
const cutWithinMs = 500
const longestRead = 100_000

/** The text above the quoted mail; the whole text when the parser takes too long. */
function cut(text: string): string {
  const read = () => new EmailReplyParser().read(text.slice(0, longestRead)).getVisibleText()
  try {
    return String(vm.runInNewContext('read()', { read }, { timeout: cutWithinMs }))
  } catch {
    return text
  }
}

// The database holds no NUL, and no letter needs the other control characters; tabs and line ends stay.
const plain = (text: string): string => text.replace(/[^\P{Cc}\t\n]/gu, '')

function senderOf(mail: Email): string | undefined {
  const froms = mailboxes(mail.from ? [mail.from] : [])
  const named = mail.headers.filter(({ key }) => key === 'from').length
  const [from] = froms
  return froms.length === 1 && named === 1 && from === plain(from ?? '') ? from.toLowerCase() : undefined
}

/**
 * Parses a raw mail. `authserv` is the name in our own mail server's Authentication-Results (RFC 8601).
 * Rejects when it is no mail.
 */
export async function readMail(raw: Buffer, authserv: string | undefined): Promise<InboundMail> {
  // Loaded on use: it takes several megabytes that an installation without inbound mail does not need.
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(raw)
  const hash = createHash('sha256').update(raw).digest('base64url')
  return {
    messageId: plain(mail.messageId ?? '').slice(0, 500) || `<${hash}@made.here>`,
    from: senderOf(mail),
    to: addressesOf(mail),
    subject: plain(mail.subject ?? ''),
    text: plain(cut(mail.text ?? wordsOf(mail.html ?? ''))).trim(),
    automatic: automaticBy(mail),
    dmarc: dmarcOf(mail, authserv),
    attachments: mail.attachments.flatMap(({ filename, content, disposition }) =>
      disposition === 'attachment' && filename
        ? [
            {
              filename,
              content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
            },
          ]
        : [],
    ),
  }
}
