import type { InlineConfig } from 'vite'

/** The first source of the page of prices. */
export const pricesEntry = 'src/screens/prices/main.tsx'

/** The name of the list of its files. */
export const pricesManifest = '.vite/prices.json'

/** The build of the page of prices alone, next to the portal's (decision 0054). */
export const pricesBuild: InlineConfig = {
  build: {
    emptyOutDir: false,
    copyPublicDir: false,
    manifest: pricesManifest,
    rolldownOptions: { input: { prices: pricesEntry } },
  },
}
