import fs from 'node:fs'
import path from 'node:path'
import { requirements } from './asvs-list.ts'

const root = path.join(import.meta.dirname, '..')

/** The names of tests and of their groups in a file, as they are written. */
function namesIn(file: string): readonly string[] {
  const at = path.join(root, file)
  if (!fs.existsSync(at)) return []
  const text = fs.readFileSync(at, 'utf8')
  return [...text.matchAll(/\(\s*(?:'((?:[^'\\\n]|\\.)+)'|"([^"\n]+)"|`([^`]+)`)\s*,/g)].map(
    ([, single, double, template]) => single ?? double ?? template ?? '',
  )
}

/** The lines as they are printed, and the tests that are named and not there. */
export function report(): { readonly lines: readonly string[]; readonly missing: readonly string[] } {
  const known = new Map<string, readonly string[]>()
  const missing: string[] = []
  const lines = requirements.map(({ ids, requirement, shown }, at) => {
    if (shown.length === 0) missing.push(`${at + 1}: nothing shows it`)
    const tests = shown.map(([file, name]) => {
      const names = known.get(file) ?? namesIn(file)
      known.set(file, names)
      const whole = names.find((one) => one.startsWith(name))
      if (whole === undefined) missing.push(`${at + 1}: ${file} has no test “${name}”`)
      return `    ${whole === undefined ? '✗' : '✓'} ${file}: ${whole ?? name}`
    })
    return [`${String(at + 1).padStart(2)} ASVS ${ids}: ${requirement}`, ...tests].join('\n')
  })
  return { lines, missing }
}

if (import.meta.main) {
  const { lines, missing } = report()
  console.log(lines.join('\n'))
  for (const one of missing) console.error(one)
  console.log(`${lines.length} lines, ${missing.length} tests missing`)
  process.exitCode = missing.length === 0 ? 0 : 1
}
