import path from 'node:path'
import type { Violation } from './rule.ts'

/** Names of columns and values that hold money. */
const moneyWords = /amount|balance|price|cost|credit|debit|charge|fee|paid|total|vat|tax|cents|turnover/i

/** The last migration from before the rule that a migration names its kind. */
const lastWithoutKind = 113

type Found = { readonly at: number; readonly detail: string }

/** Replaces a part by spaces, so that what follows keeps its place. */
const blank = (part: string) => part.replaceAll(/[^\n]/g, ' ')

const withoutComments = (text: string) =>
  text.replaceAll(/--.*/g, blank).replaceAll(/\/\*[\s\S]*?\*\//g, blank)

const withoutTexts = (text: string) => text.replaceAll(/'(?:[^']|'')*'/g, blank)

function withoutParentheses(text: string): string {
  let outer = text
  for (let before = ''; before !== outer; ) {
    before = outer
    outer = outer.replaceAll(/\([^()]*\)/g, blank)
  }
  return outer
}

function floatMoney(bare: string): Found[] {
  let at = 0
  return bare.split('\n').flatMap((said) => {
    const start = at
    at += said.length + 1
    const type = /\b(real|float[48]?|double\s+precision|money)\b/i.exec(said)?.[0]
    if (type === undefined || (type !== 'money' && !moneyWords.test(said))) return []
    return [{ at: start, detail: `${type}: money is numeric, which is exact.` }]
  })
}

const refusedInExpand: readonly [RegExp, string][] = [
  [/\brename\b/gi, 'It renames something, which older versions use by its name.'],
  [/\balter\s+(?:column\s+)?["\w]+\s+(?:set\s+data\s+)?type\b/gi, 'It changes the type of a column.'],
  [/\bdrop\s+default\b/gi, 'Older versions may leave this column to its default.'],
  [/\bset\s+not\s+null\b/gi, 'Older versions may write null into this column.'],
]

/** Objects that may be dropped when the same file creates it again, such as a constraint that allows more. */
const replaceable = ['constraint', 'index', 'trigger', 'view']

/** The line by which a migration says why null in a column that had none breaks no older version. */
const nullIsRead = /^-- Older versions read null: \S.*\.$/m

function drops(bare: string, mayAllowNull: boolean): Found[] {
  const text = bare.replaceAll(/\bon\s+commit\s+drop\b/gi, blank)
  const all = text.matchAll(/\bdrop\s+(\w+)(?:\s+if\s+exists)?\s+([\w."]+)/gi)
  return [...all].flatMap(({ index: at, 1: kind = '', 2: name = '' }) => {
    const made = new RegExp(
      `\\b(?:add|create|replace|unique|constraint)\\s+${kind}\\s+${name.replaceAll('.', '\\.')}(?!\\w)`,
      'i',
    )
    if (replaceable.includes(kind.toLowerCase()) && made.test(text)) return []
    if (`${kind} ${name}`.toLowerCase() === 'not null' && mayAllowNull) return []
    return [{ at, detail: `It drops ${kind} ${name}, which older versions may use.` }]
  })
}

function columnsToFill(outer: string): Found[] {
  const clause =
    /\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?(?!(?:column|constraint|check|unique|primary|foreign|exclude|value)\b)"?(\w+)"?\s([^,;]*)/gi
  return [...outer.matchAll(clause)]
    .filter(([, , rest = '']) => /\bnot\s+null\b/i.test(rest) && !/\b(?:default|generated)\b/i.test(rest))
    .map(({ index, 1: name }) => ({
      at: index,
      detail: `Column ${name} is not null without a default, so older versions cannot insert.`,
    }))
}

/** The faults of a migration that says that it only adds. */
function expandFaults(whole: string): Found[] {
  const bare = withoutComments(whole)
  const text = withoutTexts(bare)
  const found = refusedInExpand.flatMap(([pattern, detail]) =>
    [...text.matchAll(pattern)].map(({ index }) => ({ at: index, detail })),
  )
  return [...found, ...drops(text, nullIsRead.test(whole)), ...columnsToFill(withoutParentheses(text))]
}

function kindFaults(file: string, text: string): { rule: string; found: Found[] } {
  const kind = /^-- (expand|contract)\b/.exec(text)?.[1]
  if (kind === undefined && Number(path.basename(file).slice(0, 4)) > lastWithoutKind)
    return {
      rule: 'a migration names its kind',
      found: [{ at: 0, detail: 'Begin it with `-- expand`, if older versions run on it, or `-- contract`.' }],
    }
  return { rule: 'an expand only adds', found: kind === 'expand' ? expandFaults(text) : [] }
}

/** The violations in a file of SQL. */
export function sqlViolations(file: string, text: string): Violation[] {
  const kinds = file.includes('/migrations/') ? [kindFaults(file, text)] : []
  return [{ rule: 'no float money', found: floatMoney(withoutComments(text)) }, ...kinds].flatMap(
    ({ rule, found }) =>
      found.map(({ at, detail }) => ({
        path: file,
        line: text.slice(0, at).split('\n').length,
        rule,
        detail,
      })),
  )
}
