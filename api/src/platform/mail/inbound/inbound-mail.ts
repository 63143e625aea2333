import { createHash } from 'node:crypto'
import vm from 'node:vm'
import EmailReplyParser from 'email-reply-parser'
import type { Email } from 'postal-mime'

/** A mail that came, as far as a ticket is concerned with it. */
export type InboundMail = {
  /** Of its header, else made of its bytes: the same mail has the same. */
  readonly messageId: string
  /** The one address it says it is from; undefined when it names none or several. */
  readonly from: string | undefined
  /** Every address it was sent to, on the way or in the end. */
  readonly to: readonly string[]
  readonly subject: string
  /** What its writer wrote, without what is quoted below. */
  readonly text: string
  /** Why it was written by no person: a bounce, an absence, a list; undefined for what a person wrote. */
  readonly automatic: string | undefined
  /** What our own mail server found of its sender; undefined when it did not look. */
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
  // A bounce goes back to nobody.
  if (['', '<>'].includes(header(mail, 'return-path')?.trim() ?? 'somebody')) return 'return-path'
  const says = ([name, pattern]: (typeof automaticHeaders)[number]) => {
    const value = header(mail, name)
    return value !== undefined && pattern.test(value)
  }
  return automaticHeaders.find(says)?.[0]
}

// Where addresses stand that a mail was delivered to; which of them depends on the mail server.
const deliveredTo = new Set(['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'])

const mailboxes = (all: Email['to']): string[] =>
  (all ?? [])
    .flatMap((one) => one.group ?? [one])
    .flatMap(({ address }) => (address === undefined || address === '' ? [] : [address]))

/** The address between the last `<` and the first `>` after it, without a pattern: a header can have a megabyte. */
function addressIn(value: string): string {
  const from = value.lastIndexOf('<') + 1
  const to = value.indexOf('>', from)
  return value.slice(from, to < 0 ? undefined : to).trim()
}

function addressesOf(mail: Email): string[] {
  const delivered = mail.headers.filter(({ key }) => deliveredTo.has(key)).map(({ value }) => value)
  return [...mailboxes(mail.to), ...mailboxes(mail.cc), ...delivered.map(addressIn)]
}

/** What stands outside quotes and comments, in which whoever wrote the mail may have a say. Read once from left to right. */
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
 * The verdict of the header that our own server put above all others; what came with the mail is anybody's word. Two
 * verdicts are none.
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
 * The words of a page. What comes of it is text, so nothing depends on its being thorough. No tag is looked for beyond the
 * next `<`: a page of nothing else would be read once for each of them.
 */
const wordsOf = (html: string): string =>
  html
    .slice(0, 500_000)
    .replace(/<(script|style|head)\b[\s\S]*?(?:<\/\1>|$)/gi, '')
    .replace(/<(?:br|\/p|\/div|\/tr|\/li)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? '')

// The parser's patterns are many, and a text can be made to keep them busy.
const cutWithinMs = 500
const longestRead = 100_000

/** What was written above the quoted mail; the whole, when it takes too long to find out. */
function cut(text: string): string {
  const read = () => new EmailReplyParser().read(text.slice(0, longestRead)).getVisibleText()
  try {
    return String(vm.runInNewContext('read()', { read }, { timeout: cutWithinMs }))
  } catch {
    return text
  }
}

// The database holds no NUL, and no letter needs the others; tabs and ends of lines stay.
const plain = (text: string): string => text.replace(/[^\P{Cc}\t\n]/gu, '')

function senderOf(mail: Email): string | undefined {
  const froms = mailboxes(mail.from ? [mail.from] : [])
  const named = mail.headers.filter(({ key }) => key === 'from').length
  const [from] = froms
  return froms.length === 1 && named === 1 && from === plain(from ?? '') ? from.toLowerCase() : undefined
}

/**
 * Reads a mail as it came. `authserv` is the name that our own mail server signs its findings with (RFC 8601). Rejects when
 * it is no mail.
 */
export async function readMail(raw: Buffer, authserv: string | undefined): Promise<InboundMail> {
  // Some megabytes that an installation to which nobody writes has no use for.
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
