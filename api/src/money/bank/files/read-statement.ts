import { statementLimits } from '@portico/contract/rules/money/bank-statements.ts'
import Big from 'big.js'
import { rounded } from '#money/minor-units.ts'
import { refuse } from '#platform/errors/problem.ts'
import { readCamt } from './camt.ts'
import { type Columns, headingsOf, readCsv } from './csv.ts'
import { readMt940 } from './mt940.ts'
import { invalidLine, type Statement } from './statement.ts'

const declared = /^<\?xml[^>]{0,100}encoding=["']([\w.-]{1,40})["']/

/** The encoding of a file: by its byte order mark, by the declaration of XML, else UTF-8. */
function encodingOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return declared.exec(bytes.toString('latin1', 0, 200))?.[1] ?? 'utf-8'
}

/** The text of a file. Throws `statement_encoding` rather than guess letters. */
function textOf(bytes: Buffer): string {
  const encoding = encodingOf(bytes)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    throw refuse('statement_encoding', { encoding }, { cause: error })
  }
}

type ColumnsFor = (headings: readonly string[]) => Promise<Columns>

/** Throws `statement_too_large` and `statement_empty`. */
function assertSize({ length }: Buffer): void {
  if (length > statementLimits.file) throw refuse('statement_too_large', { most: '10 MB' })
  if (length === 0) throw refuse('statement_empty')
}

/** A text without the data of a binary file. */
function printable(bytes: Buffer): string {
  const text = textOf(bytes)
  if (text.includes('\0')) throw refuse('statement_format_unknown')
  return text.trimStart()
}

/** Throws `statement_line_invalid` for an amount that is finer than its currency. */
function assertPayable({ lines }: Statement): void {
  const wrong = lines.find(({ amount, currency }) => !rounded(new Big(amount), currency).eq(amount))
  if (wrong) throw invalidLine(wrong.at, 'amount')
}

async function read(text: string, own: string, columnsFor: ColumnsFor): Promise<Statement> {
  if (text.startsWith('<')) return readCamt(text, own)
  if (/^(\{1:|:20:)/m.test(text.slice(0, 2000))) return readMt940(text, own)
  return readCsv(text, await columnsFor(headingsOf(text)), own)
}

/**
 * Reads the incoming money of our own account from a statement in any format. Throws a refusal that names the line and
 * what is wrong with it; `columnsFor` knows the columns of a CSV by its headings, or throws.
 */
export async function readStatement(bytes: Buffer, own: string, columnsFor: ColumnsFor): Promise<Statement> {
  assertSize(bytes)
  const text = printable(bytes)
  if (text === '') throw refuse('statement_empty')
  const statement = await read(text, own, columnsFor)
  assertPayable(statement)
  return statement
}
