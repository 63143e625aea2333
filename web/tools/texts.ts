import fs from 'node:fs'
import { textParity, unusedTexts } from './text-parity.ts'

const texts = `${import.meta.dirname}/../src/texts`
const compiled = `${texts}/compiled`
const languages = ['en', 'ro'] as const

/** A text, or its plural forms, under names like `countPlural=few`. */
type Message = string | [{ match: Record<string, string> }]
type Messages = Record<string, Message>

const read = (language: string): Messages =>
  // The parity test reports what is missing in either file.
  JSON.parse(fs.readFileSync(`${texts}/${language}.json`, 'utf8')) as Messages

/** The placeholder of the portal's name in every text, which is no parameter. */
const brand = '{brand}'

/** A text as a JavaScript template literal, with parameters from `i`. */
const template = (text: string): string =>
  `\`${text
    .replace(/[\\`$]/g, '\\$&')
    .replaceAll(brand, `$\${shownBrand().name}`)
    .replace(/(?<!\$)\{(\w+)\}/g, `\${i.$1}`)}\``

/** The parameter that selects the plural form of a message, if it has one. */
const countOf = (message: Message): string | undefined =>
  typeof message === 'string'
    ? undefined
    : /^\w+(?=Plural=)/.exec(Object.keys(message[0].match)[0] ?? '')?.[0]

function expression(message: Message, language: string): string {
  if (typeof message === 'string') return template(message)
  const forms = Object.entries(message[0].match).map(([name, text]) => {
    const form = name.split('=')[1]
    return `${form}: ${template(text)}`
  })
  return `({ ${forms.join(', ')} })[new Intl.PluralRules('${language}').select(i.${countOf(message)})]`
}

/** One module per message, so that a page loads only the messages that it uses. */
function moduleOf(all: Messages[], key: string): string {
  const [base, ...others] = languages.map((language, at) => ({
    language,
    said: expression(all[at]?.[key] ?? '', language),
  }))
  const choice = others.map(({ language, said }) => `locale() === '${language}' ? ${said} : `).join('')
  const imports = `${choice}${base?.said}`.includes('shownBrand().name')
    ? `import { shownBrand } from '../../brand.ts'\n`
    : ''
  return `${imports}import { locale } from '../../locale.ts'\nexport default (i) => ${choice}${base?.said}\n`
}

/** The parameters of the message: numbers where they select the form. */
function typeOf(message: Message): string {
  const count = countOf(message)
  const names = new Set(
    [
      ...JSON.stringify(message)
        .replaceAll(brand, '')
        .matchAll(/\{([a-z]\w*)\}/g),
    ].map(([, name]) => name),
  )
  if (count) names.add(count)
  const fields = [...names].map((name) => `${name}: ${name === count ? 'number' : 'string | number'}`)
  return fields.length === 0 ? '() => string' : `(i: { ${fields.join('; ')} }) => string`
}

/** Writes only changed files, so that a development server does not reload the others. */
function write(file: string, content: string): void {
  if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== content) fs.writeFileSync(file, content)
}

/** Turns texts/{en,ro}.json into typed functions, `m.key({ parameter })`. */
export function compileTexts(): void {
  const all = languages.map(read)
  const entries = Object.entries(all[0] ?? {})
  fs.mkdirSync(`${compiled}/messages`, { recursive: true })
  for (const [key] of entries) write(`${compiled}/messages/${key}.js`, moduleOf(all, key))
  const names = entries.map(([key]) => `export { default as ${key} } from './messages/${key}.js'\n`)
  write(`${compiled}/all.js`, names.join(''))
  write(`${compiled}/messages.js`, `export * as m from './all.js'\n`)
  const types = entries.map(([key, message]) => `  ${key}: ${typeOf(message)}\n`)
  write(`${compiled}/messages.d.ts`, `export declare const m: {\n${types.join('')}}\n`)
}

if (import.meta.main) {
  compileTexts()
  const parity = { ...textParity(), unused: unusedTexts() }
  for (const [fault, keys] of Object.entries(parity)) console.log(`${fault}: ${keys.join(' ') || 'none'}`)
  // A text that is the same in both languages may be a name.
  if (parity.missing.length + parity.unused.length > 0) process.exitCode = 1
}
