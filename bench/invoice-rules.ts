// `npm run bench:invoice-rules -- --validator FILE [--documents N] [--seed N]`: random electronic invoices, and as many with one
// thing changed, are judged by our rules and by the official ones; fails when they differ about any. The official rules
// run in a program of their own, which is not part of this repository because it is not free software: `node FILE a.xml b.xml…`
// prints a line `a.xml: RULE, RULE…` for each invoice that breaks a rule, with `fatal` or `warning` before a rule's name if it
// likes, and at its end `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { brokenRules } from '../api/src/money/invoices/documents/cius-ro.ts'
import type { DocumentData } from '../api/src/money/invoices/documents/document.ts'
import { ubl } from '../api/src/money/invoices/documents/ubl.ts'
import { mutated } from '../api/test/support/mutated-documents.ts'
import { RandomDocuments } from '../api/test/support/random-documents.ts'
import { seeded } from '../api/test/support/usage-workload.ts'

const { values } = parseArgs({
  options: {
    validator: { type: 'string' },
    documents: { type: 'string', default: '1500' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
})
if (!values.validator)
  throw new Error('--validator FILE is missing: the program that runs the official rules.')
const validator = path.resolve(values.validator)
const together = 50

const random = new RandomDocuments(seeded(Number(values.seed)))
const half = Number(values.documents)
const invoices: { what: string; data: DocumentData }[] = [
  ...Array.from({ length: half }, () => random.next()),
  ...Array.from({ length: half }, () => mutated(random.next().data, random)),
]

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoice-rules-'))
const file = (at: number) => path.join(folder, `${at}.xml`)

/** Rules of Romania bind only the files that say they keep them. */
const binds = (rule: string, text: string) => !rule.startsWith('BR-RO') || text.includes('CIUS-RO')

type Written = { readonly at: number; readonly text: string }

/**
 * What the official rules refuse of some invoices: names of rules by the number of the invoice. A program that ends without its last
 * line met a file that it cannot read at all, such as one with a day that does not exist; then each is judged alone.
 */
function officially(some: readonly Written[]): Map<number, readonly string[]> {
  const { stdout, stderr } = spawnSync(process.execPath, [validator, ...some.map(({ at }) => file(at))], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (!/^\d+ passed, \d+ failed$/m.test(stdout)) {
    const [only, ...others] = some
    if (only && others.length === 0)
      return new Map([[only.at, [`unreadable: ${/\w*Error.*/.exec(stderr)?.[0]}`]]])
    return new Map(some.flatMap((one) => [...officially([one])]))
  }
  const texts = new Map(some.map(({ at, text }) => [at, text]))
  return new Map(
    [...stdout.matchAll(/^(\d+)\.xml: (.+)$/gm)].flatMap(([, name = '', said = '']) => {
      const rules = said
        .split(', ')
        .filter((rule) => !rule.startsWith('warning'))
        .map((rule) => rule.replace(/^fatal /, ''))
        .filter((rule) => binds(rule, texts.get(Number(name)) ?? ''))
      return rules.length > 0 ? [[Number(name), rules] as const] : []
    }),
  )
}

let differing = 0
const counts = { random: { neither: 0, both: 0 }, changed: { neither: 0, both: 0 } }
for (let from = 0; from < invoices.length; from += together) {
  const some = invoices.slice(from, from + together).map(({ data }, n) => ({ at: from + n, text: ubl(data) }))
  for (const { at, text } of some) fs.writeFileSync(file(at), text)
  const refused = officially(some)
  for (const { at } of some) {
    const { what = '', data } = invoices[at] ?? {}
    const ours = data ? brokenRules(data) : []
    const theirs = refused.get(at) ?? []
    const count = at < half ? counts.random : counts.changed
    if (ours.length > 0 === theirs.length > 0) count[ours.length > 0 ? 'both' : 'neither'] += 1
    else {
      differing += 1
      console.log(`${file(at)} (${what})\n  ours: ${ours.join('; ')}\n  official: ${theirs.join('; ')}`)
    }
  }
}
const { random: plain, changed } = counts
console.log(
  `seed ${values.seed}: of ${half} random invoices ${plain.neither} are refused by neither and ${plain.both} by both; of ${half} with one thing changed ${changed.neither} by neither and ${changed.both} by both; they differ about ${differing}`,
)
if (differing === 0) fs.rmSync(folder, { recursive: true })
process.exitCode = differing === 0 ? 0 : 1
