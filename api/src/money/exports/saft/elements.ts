/** The text of an element. Lengths are in characters, digits without the sign and the point. */
export type Leaf =
  | { readonly kind: 'text'; readonly least: number; readonly most: number }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'decimal'; readonly digits: number; readonly fraction: number }
  | { readonly kind: 'count' }
  | { readonly kind: 'day' }

/** The content of an element: text, or other elements in their order. */
export type Field =
  | Leaf
  | { readonly kind: 'optional'; readonly of: Field }
  | { readonly kind: 'many'; readonly of: Field }
  | { readonly kind: 'parts'; readonly parts: Readonly<Record<string, Field>> }

export const text = (most: number, least = 1) => ({ kind: 'text', least, most }) as const
export const word = <const W extends readonly string[]>(...words: W) => ({ kind: 'word', words }) as const
export const decimal = (digits: number, fraction: number) => ({ kind: 'decimal', digits, fraction }) as const
export const count = { kind: 'count' } as const
export const day = { kind: 'day' } as const
export const optional = <const F extends Field>(of: F) => ({ kind: 'optional', of }) as const
export const many = <const F extends Field>(of: F) => ({ kind: 'many', of }) as const
export const parts = <const P extends Readonly<Record<string, Field>>>(of: P) =>
  ({ kind: 'parts', parts: of }) as const

/** The value of a field: decimals are exact texts, days ISO dates. */
export type ValueOf<F> = F extends { readonly kind: 'parts'; readonly parts: infer P }
  ? { readonly [K in keyof P]: ValueOf<P[K]> }
  : F extends { readonly kind: 'optional'; readonly of: infer G }
    ? ValueOf<G> | null
    : F extends { readonly kind: 'many'; readonly of: infer G }
      ? readonly ValueOf<G>[]
      : F extends { readonly kind: 'word'; readonly words: readonly (infer W)[] }
        ? W
        : string

/** The same, where repeated elements may be read while they are written. */
export type StreamOf<F> = F extends { readonly kind: 'parts'; readonly parts: infer P }
  ? { readonly [K in keyof P]: StreamOf<P[K]> }
  : F extends { readonly kind: 'many'; readonly of: infer G }
    ? readonly ValueOf<G>[] | AsyncIterable<ValueOf<G>>
    : ValueOf<F>
