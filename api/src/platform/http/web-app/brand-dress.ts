import { shadesOf } from '@portico/contract/rules/brand/accent.ts'
import { isWordMark, shownLogo, shownWidth } from '@portico/contract/rules/brand/logo.ts'
import { type Brand, plainBrand } from '#platform/brand/brand.ts'
import { escaped } from '#platform/escape.ts'

/** The colours that follow from an accent, stronger than those of the browser app and of its library. */
function styleOf(accent: string): string {
  const { light, dark } = shadesOf(accent)
  const rule = (scheme: 'light' | 'dark', { filled, hover, text, soft }: typeof light) =>
    `:root:root[data-mantine-color-scheme="${scheme}"]{--accent-text:${text};--accent-soft:${soft};` +
    `--mantine-primary-color-filled:${filled};--mantine-primary-color-filled-hover:${hover};` +
    `--mantine-color-accent-filled:${filled};--mantine-color-accent-filled-hover:${hover};` +
    `--mantine-color-accent-outline:${text};--mantine-color-accent-light-hover:${soft}}`
  return `<style>${rule('light', light)}${rule('dark', dark)}</style>`
}

function imageOf({ path, width, height }: NonNullable<Brand['logo']>): string {
  const kind = isWordMark(width, height) ? 'word' : 'mark'
  const shown = `width="${shownWidth(width, height)}" height="${shownLogo.height}"`
  return `<img data-logo="${kind}" src="${path}" ${shown} alt="">`
}

const looksPlain = ({ name, accent, legal, logo }: Brand): boolean =>
  name === plainBrand.name && accent === null && logo === null && legal.en === null && legal.ro === null

/** The brand as the browser app reads it before it runs (`web/src/texts/brand.ts`). */
const metaOf = ({ name, legal, logo }: Brand): string =>
  `<meta name="portico-brand" content="${escaped(JSON.stringify({ name, legal, logo }))}">`

/**
 * Dresses documents in the brand: a prerendered page shows it before any script has run, and the browser app finds what it
 * would render itself. Undefined where nothing was entered, and documents are sent as they were built.
 */
export function brandDress(brand: Brand): ((html: string) => string) | undefined {
  if (looksPlain(brand)) return undefined
  const { name, accent, legal, logo } = brand
  const style = accent === null ? '' : styleOf(accent)
  return (html) => {
    const foot = escaped((html.includes('<html lang="ro"') ? legal.ro : legal.en) ?? '')
    // The name is a word of built documents in no other sense; a test holds that.
    const named = html
      .replaceAll(plainBrand.name, () => escaped(name))
      .replace(/(<p[^>]* data-legal="[^"]*"[^>]*>)(<\/p>)/, (_, open, close) => open + foot + close)
      .replace('</head>', () => `${metaOf(brand)}${style}</head>`)
    if (logo === null) return named
    return named
      .replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="${logo.path}">`)
      .replaceAll(/<svg[^>]* data-logo="own".*?<\/svg>/g, () => imageOf(logo))
  }
}
