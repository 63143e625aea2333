import fs from 'node:fs'
import path from 'node:path'
import { inWords, Problem, type Refusal } from '#platform/errors/problem.ts'
import { metFolder } from './unmet-refusals.ts'

/** Words that no Romanian sentence has, and most English ones do. */
export const english =
  /(?<![\p{L}\d])(the|this|is|was|were|be|been|not|no|may|can|cannot|must|has|have|of|to|and|or|with|from|your|you|there|only|one|expected|try|again)(?![\p{L}\d])/iu

// Quoted values, addresses, and names of fields and headers are the same in every language.
const names = /„[^”]*”|"(?:[^"\\]|\\.)*"|(?<!\S)\/\S+|Idempotency-Key|Content-Length|Accept\b|Host\b/g

/** The words of a Romanian refusal, without the names in it. */
export const proseOf = (sentence: string): string => sentence.replaceAll(names, '')

// The names of parameters, fields and types, and the values of choices, are the request's or the contract's own, and may be
// English words: `filter[to]`, `only`.
const named = ['name', 'names', 'type', 'path', 'values', 'value']

/** The Romanian text of a refusal, without the names in its parameters. */
function romanian({ code, parameters }: Refusal): string {
  const own = named.filter((key) => key in parameters)
  const others = Object.fromEntries(own.map((key) => [key, '…']))
  return proseOf(inWords({ code, parameters: { ...parameters, ...others } }, 'ro'))
}

const met = new Set<string>()
const notRomanian: string[] = []

function note(code: string): void {
  if (met.has(code)) return
  met.add(code)
  fs.mkdirSync(metFolder, { recursive: true })
  fs.appendFileSync(path.join(metFolder, `${process.pid}.txt`), `${code}\n`)
}

const answered = Problem.prototype.toObject

// Each refusal that a test meets is also worded in Romanian with its real parameters, which no list of codes knows.
Problem.prototype.toObject = function toObject(language) {
  if (english.test(romanian(this.refusal))) notRomanian.push(`${this.code}: ${inWords(this.refusal, 'ro')}`)
  // A refusal of a test's own address was not triggered by what it is declared for.
  if (this.meta?.ofTest !== true) note(this.code)
  return answered.call(this, language)
}

/** Fails when a refusal that was answered since the last call has English words in Romanian. */
export function holdRomanian(): void {
  const found = notRomanian.splice(0)
  if (found.length > 0) throw new Error(`In Romanian these refusals have English words:\n${found.join('\n')}`)
}
