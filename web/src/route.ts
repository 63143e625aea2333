export type Layout = 'main' | 'guest' | 'plain' | 'plain-wide' | 'invite' | 'bare'

/**
 * Screens are `unknown` here because they use `href`, whose type comes from `routes`; `router.tsx` checks them.
 */
export type Route<Screen = unknown> = {
  path: `/${string}`
  access: 'open' | 'client'
  layout?: Layout
  title: () => string
  screen: () => Promise<Screen>
  /** The screen of addresses with the optional part, where it is another one. */
  opened?: () => Promise<Screen>
}

type Part<P extends string> = P extends `:${infer Name}?`
  ? { readonly [K in Name]?: string | number | undefined }
  : P extends `:${infer Name}`
    ? { readonly [K in Name]: string | number }
    : unknown

/** The parameters in a path: `:name` is required, `:name?` is not. */
export type PathParams<P extends string> = P extends `${infer First}/${infer Rest}`
  ? Part<First> & PathParams<Rest>
  : Part<P>
