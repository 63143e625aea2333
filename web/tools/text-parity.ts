import fs from 'node:fs'
import en from '../src/texts/en.json' with { type: 'json' }
import ro from '../src/texts/ro.json' with { type: 'json' }

const keys = [...new Set([...Object.keys(en), ...Object.keys(ro)])]
const sources = `${import.meta.dirname}/../src`

/** Words that are the same in both languages, and names. */
const alike = new Set([
  'brand',
  'card',
  'column_total',
  'desk_departments_hours',
  'desk_departments_minutes',
  'desk_efactura_title',
  'desk_role_admin',
  'email',
  'tab_clusters',
  'total',
])

/** Every text of a message, in all its plural forms. */
const words = (message: unknown): string => JSON.stringify(message)

/** Keys that no code uses. */
export function unusedTexts(): string[] {
  const names = fs.readdirSync(sources, { recursive: true, encoding: 'utf8' })
  const code = names
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('compiled') && !name.includes('.test.'))
    .map((name) => fs.readFileSync(`${sources}/${name}`, 'utf8'))
  const named = new Set([...code.join('\n').matchAll(/\bm\.(\w+)/g)].map(([, key]) => key))
  return keys.filter((key) => !named.has(key))
}

/** Keys that one of the two languages lacks, and keys whose texts are the same in both. */
export function textParity(): Record<'missing' | 'identical', string[]> {
  const [english, romanian] = [en, ro].map((texts) => new Map<string, unknown>(Object.entries(texts)))
  return {
    missing: keys.filter((key) => !english?.has(key) || !romanian?.has(key)),
    identical: keys.filter(
      (key) => !alike.has(key) && words(english?.get(key)) === words(romanian?.get(key)),
    ),
  }
}
