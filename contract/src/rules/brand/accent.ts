// The operator gives one colour. What is read on it, and what is written in it, follows from it for both schemes, by the
// contrast of WCAG 2.2.

type Rgb = readonly [number, number, number]

/** The least contrast of text, and of what only has to be seen. */
export const leastContrast = { text: 4.5, shape: 3 } as const

// The grounds that tokens.css of the browser app has.
const grounds = { light: '#f1f3f6', dark: '#161b22' } as const

const black = '#000000'
const white = '#ffffff'

const parse = (hex: string): Rgb => {
  const bits = Number.parseInt(hex.slice(1), 16)
  return [(bits >> 16) & 255, (bits >> 8) & 255, bits & 255]
}

const print = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

function luminance(hex: string): number {
  const [r, g, b] = parse(hex).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb // As many as were mapped.
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** A colour with a share of another one, from 0 to 1. */
function mix(hex: string, other: string, share: number): string {
  const [from, to] = [parse(hex), parse(other)]
  const at = (place: 0 | 1 | 2) => from[place] + (to[place] - from[place]) * share
  return print([at(0), at(1), at(2)])
}

/** The first shade on the way to another colour that is good. */
function firstGood(hex: string, towards: string, isGood: (shade: string) => boolean): string {
  for (let percent = 0; percent < 100; percent++) {
    const shade = mix(hex, towards, percent / 100)
    if (isGood(shade)) return shade
  }
  return towards
}

/** The shades of an accent in one scheme: the ground of buttons, the same under a pointer, text in the accent, a pale ground. */
export type Shades = {
  readonly filled: string
  readonly hover: string
  readonly text: string
  readonly soft: string
}

/** The contrast of white text on a colour, which buttons have. */
export const contrastOfWhite = (accent: string): number => contrast(white, accent)

/** Whether a text is a colour such as `#3f53c8`. */
export const isColour = (text: string): boolean => /^#[\da-f]{6}$/.test(text)

/** The shades of an accent that white text can be read on. */
export function shadesOf(accent: string): { readonly light: Shades; readonly dark: Shades } {
  const soft = mix(white, accent, 0.08)
  const filled = firstGood(accent, white, (one) => contrast(one, grounds.dark) >= leastContrast.shape)
  const darkSoft = mix(grounds.dark, filled, 0.18)
  const reads = (ground: string) => (shade: string) => contrast(shade, ground) >= leastContrast.text
  return {
    light: {
      filled: accent,
      hover: mix(accent, black, 0.12),
      text: firstGood(accent, black, (one) => reads(soft)(one) && reads(grounds.light)(one)),
      soft,
    },
    dark: {
      filled,
      hover: mix(filled, black, 0.12),
      text: firstGood(mix(filled, white, 0.3), white, (one) => reads(darkSoft)(one)),
      soft: darkSoft,
    },
  }
}
