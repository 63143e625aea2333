import { setImmediate } from 'node:timers/promises'
import { statementLimits } from '@portico/contract/rules/money/bank-statements.ts'
import Big from 'big.js'
import { SaxesParser } from 'saxes'
import { refuse } from '#platform/errors/problem.ts'
import { entryLines, Fields, sharedText, signed } from './camt-entry.ts'
import {
  assertBalanced,
  assertOwn,
  cleanIban,
  copyKey,
  factsOf,
  type Part,
  readingOf,
  type Statement,
  type StatementLine,
} from './statement.ts'

// CAMT.053 of any version (ISO 20022), read by the local names of its elements.

// A statement nests to a depth of about twelve.
const deepest = 64
const mostAttributes = 32
const chunk = 65_536

// A small file could otherwise give a long text to a hundred thousand payments.
const mostShared = 2 * statementLimits.file

/** Adds lines one by one: a batch may have more than a call has room for as arguments. */
function append(lines: StatementLine[], more: readonly StatementLine[]): void {
  for (const line of more) lines.push(line)
}

/** Collects one statement of a file; a file may have several. */
class Collector {
  iban: string | null = null
  id = ''
  page = ''
  isLast = false
  moved = new Big(0)
  readonly lines: StatementLine[] = []
  readonly balances = new Map<string, Big>()

  /** Its balances. Throws where they differ from the lines. */
  checked(): Part {
    const opening = this.balances.get('OPBD') ?? this.balances.get('PRCD')
    const closing = this.balances.get('CLBD')
    if (opening && closing) assertBalanced({ opening, closing, moved: this.moved })
    return { opening: opening?.toFixed(2) ?? null, closing: closing?.toFixed(2) ?? null }
  }

  /** Which page of a statement it is; empty where the file does not say, or there is one alone. */
  get numberedPage(): string {
    const isOnly = this.isLast && /^0*1$/.test(this.page)
    return this.id !== '' && this.page !== '' && !isOnly ? JSON.stringify([this.id, this.page]) : ''
  }
}

/** The handlers of the elements of a file. */
class Reader {
  readonly own: string
  readonly lines: StatementLine[] = []
  readonly accounts: (string | null)[] = []
  readonly parts: Part[] = []
  readonly #read = new Set<string>()
  /** The parts of the statements of which the file has several pages. */
  readonly #paged = new Map<string, number>()
  #entries = 0
  isStatement = false
  #path: string[] = []
  #text = ''
  #statement: Collector | undefined
  #entry: Fields | undefined
  #detail: Fields | undefined
  #balance: Fields | undefined
  /** The characters that payments of batches have from their entries. */
  #shared = 0

  constructor(own: string) {
    this.own = own
  }

  open(name: string, currency: string | undefined, line: number): void {
    if (this.#path.length >= deepest) throw refuse('statement_unreadable', { line, what: 'XML depth' })
    this.#path.push(name)
    this.#text = ''
    if (name === 'BkToCstmrStmt' && this.#path.length === 2) this.isStatement = true
    if (name === 'Stmt') this.#statement = new Collector()
    if (name === 'Ntry') this.#entry = new Fields(line, this.#path.length)
    if (name === 'TxDtls' && this.#entry) this.#detail = new Fields(line, this.#path.length)
    if (name === 'Bal') this.#balance = new Fields(line, this.#path.length)
    if (currency !== undefined) this.#fields()?.add([...this.#path, '@Ccy'], currency)
  }

  text(text: string): void {
    this.#text += text
  }

  #fields(): Fields | undefined {
    return this.#detail ?? this.#entry ?? this.#balance
  }

  close(name: string): void {
    const statement = this.#statement
    if (statement) {
      const text = this.#text.trim()
      if (text !== '') this.#fields()?.add(this.#path, text)
      const path = this.#path.slice(-4).join('/')
      if (path === 'Stmt/Acct/Id/IBAN') statement.iban = cleanIban(text)
      if (path.endsWith('/Stmt/Id')) statement.id = text
      if (path.endsWith('/Stmt/StmtPgntn/PgNb')) statement.page = text
      if (path.endsWith('/Stmt/StmtPgntn/LastPgInd')) statement.isLast = text === 'true' || text === '1'
      this.#end(name, statement)
    }
    this.#text = ''
    this.#path.pop()
  }

  /** Throws `statement_too_large`. */
  #entryLines(entry: Fields) {
    const shared = sharedText(entry)
    this.#shared += shared.length * entry.details.length
    if (this.#shared > mostShared)
      throw refuse('statement_too_large', { most: { en: '20 MB of text', ro: '20 MB de text' } })
    return entryLines(entry, { shared, part: this.parts.length, entry: this.#entries++ })
  }

  /** Adds a statement of our account, unless the file has it a second time. Pages of one statement are one part. */
  #add(statement: Collector, part: Part): void {
    const { id, numberedPage, lines } = statement
    const key =
      numberedPage === '' ? copyKey(id, part, lines) : JSON.stringify([numberedPage, factsOf(lines)])
    if (key !== undefined && this.#read.has(key)) return
    if (key !== undefined) this.#read.add(key)
    const at = numberedPage === '' ? undefined : this.#paged.get(id)
    if (at === undefined) {
      if (numberedPage !== '') this.#paged.set(id, this.parts.length)
      this.parts.push(numberedPage === '' ? part : { opening: null, closing: null })
    }
    append(this.lines, at === undefined ? lines : lines.map((line) => ({ ...line, part: at })))
  }

  #end(name: string, statement: Collector): void {
    if (name === 'TxDtls' && this.#detail) {
      this.#entry?.details.push(this.#detail)
      this.#detail = undefined
    } else if (name === 'Ntry' && this.#entry) {
      const { moved, lines } = this.#entryLines(this.#entry)
      statement.moved = statement.moved.plus(moved)
      append(statement.lines, lines)
      this.#entry = undefined
    } else if (name === 'Bal' && this.#balance) {
      const kind = this.#balance.first('Tp/CdOrPrtry/Cd')
      if (kind !== undefined && !statement.balances.has(kind))
        statement.balances.set(kind, signed(this.#balance))
      this.#balance = undefined
    } else if (name === 'Stmt') {
      const part = statement.checked()
      this.accounts.push(statement.iban)
      if (statement.iban === this.own) this.#add(statement, part)
      this.#statement = undefined
    }
  }
}

function parserOf(reader: Reader): SaxesParser<{ xmlns: true }> {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('doctype', () => {
    throw refuse('statement_doctype', { line: parser.line })
  })
  parser.on('error', (error) => {
    throw refuse('statement_unreadable', {
      line: parser.line,
      what: { en: error.message.replace(/^[\d:\s]*/, '').slice(0, 120), ro: 'XML incorect' },
    })
  })
  let attributes = 0
  parser.on('opentagstart', () => (attributes = 0))
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > mostAttributes)
      throw refuse('statement_unreadable', { line: parser.line, what: 'XML attributes' })
  })
  parser.on('opentag', ({ local, attributes }) => reader.open(local, attributes.Ccy?.value, parser.line))
  parser.on('text', (text) => reader.text(text))
  parser.on('cdata', (text) => reader.text(text))
  parser.on('closetag', ({ local }) => reader.close(local))
  return parser
}

/**
 * Reads the booked incoming money of our account. Throws `statement_doctype`, `statement_unreadable`, `statement_too_large`,
 * `statement_format_unknown`, `statement_line_invalid`, `statement_balance_differs`, `statement_other_account`.
 */
export async function readCamt(text: string, own: string): Promise<Statement> {
  const reader = new Reader(own)
  const parser = parserOf(reader)
  for (let at = 0; at < text.length; at += chunk) {
    parser.write(text.slice(at, at + chunk))
    // Other requests are answered meanwhile.
    await setImmediate()
  }
  parser.close()
  if (!reader.isStatement) throw refuse('statement_format_unknown')
  if (!reader.accounts.includes(own)) assertOwn(reader.accounts[0] ?? null, own)
  const { parts, lines } = reader
  return { format: 'camt053', reading: readingOf('camt053'), iban: own, parts, lines }
}
