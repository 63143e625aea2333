/** One language of a compiled text, as the bundler hands it on. */
const said = /^const (?:en|ro)_\w+ = \((i?)\) => \{\n\treturn (`.*`);\n\};$/gm

/**
 * A compiled text as one expression. The compiler makes three functions of it and lets each call choose a language; here
 * everybody speaks that of the page, and what is carried for more weighs as much as a page's words do. Undefined for a plural,
 * which stays as it is.
 */
export function shortText(code: string): string | undefined {
  const [en, ro] = [...code.matchAll(said)]
  const [, name] = /^export const (\w+) =/m.exec(code) ?? []
  if (!(en && ro && name)) return undefined
  return `import { getLocale } from '../runtime.js'
export const ${name} = (${en[1] || ro[1]}) => getLocale() === 'ro' ? ${ro[2]} : ${en[2]}`
}
