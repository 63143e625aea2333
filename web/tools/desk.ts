import type { InlineConfig } from 'vite'

/** The first source of the desk. */
export const deskEntry = 'src/desk/main.tsx'

/**
 * The second build of the same sources, for the desk (decision 0055): with an entry of its own in the first one, shared
 * modules would move to other files and every page of a customer would change.
 */
export const deskBuild: InlineConfig = {
  base: '/desk/',
  publicDir: false,
  build: { outDir: 'dist/desk', rolldownOptions: { input: deskEntry } },
}
