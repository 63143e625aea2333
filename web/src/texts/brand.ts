/** The operator's brand on the pages of the browser app. */
export type Brand = {
  readonly name: string
  /** Below the pages that need no sign-in. */
  readonly legal: { readonly en: string | null; readonly ro: string | null }
  readonly logo: { readonly path: string; readonly width: number; readonly height: number } | null
}

const plain: Brand = { name: 'Portico', legal: { en: null, ro: null }, logo: null }

/** The server writes it into each document; where nothing was entered it writes nothing. */
function ofDocument(): Brand {
  if (typeof document === 'undefined') return plain
  const written = document.querySelector<HTMLMetaElement>('meta[name="portico-brand"]')?.content
  return written === undefined ? plain : (JSON.parse(written) as Brand) // Written by `brandDress` of the server.
}

// Read when it is first asked for: a module that does something when it is loaded drags all texts into the first chunk.
let brand: Brand | undefined

/** The operator's brand, or the portal as it comes. */
export function shownBrand(): Brand {
  brand ??= ofDocument()
  return brand
}

/** Names the portal where there is no document, as in browser tests. */
export function nameBrand(name: string): void {
  brand = { ...shownBrand(), name }
}
