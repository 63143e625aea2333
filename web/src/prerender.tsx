import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { App } from './app.tsx'
import { Skeletons } from './components/layout/skeletons.tsx'
import { pattern } from './route-pattern.ts'
import { makeRouter, screensOf } from './router.tsx'
import { type Layout, type Route, routes } from './routes.ts'
import { startLanguage } from './stores/language.ts'

/** A page as text, for the document that the server sends; it is rendered once, at build. */
export async function renderPage(path: string, language: string): Promise<string> {
  startLanguage(language)
  const router = makeRouter(createMemoryHistory({ initialEntries: [path] }))
  await router.load()
  return renderToString(<App router={router} />)
}

/** What a protected page looks like before any script has run: its bar and the places of its cards. */
export const renderSkeleton = (): string => renderToString(<Skeletons />)

/** What a page's document must know of a route: its addresses, its files, and what it asks the server first. */
export type BootInfo = {
  name: string
  pattern: string
  access: Route['access']
  layout: Layout
  /** The source of its screen. */
  screen: string
  calls: string[]
}

type Screen = { first?: readonly { meta?: Record<string, unknown> | undefined }[] }

// Where each screen's module lies is only known to the bundler; the built module's own text names it.
const sources = import.meta.glob<Screen>([
  './screens/**/*.tsx',
  '!./screens/error.tsx',
  '!./screens/not-found.tsx',
])

export async function bootTable(): Promise<BootInfo[]> {
  const modules = await Promise.all(
    Object.entries(sources).map(async ([file, load]) => [await load(), file] as const),
  )
  const files = new Map<unknown, string>(modules)
  const all = Object.entries<Route>(routes).flatMap(([name, route]) =>
    screensOf(route).map((shown) => ({ ...route, ...shown, name })),
  )
  return Promise.all(
    all.map(async ({ name, path, access, layout = 'guest', screen }) => {
      const module = await screen()
      // A screen may export `first`, the queries it starts with; the others have nothing to start.
      const { first = [] } = module as Screen
      const calls = first.flatMap(({ meta }) => (typeof meta?.path === 'string' ? [meta.path] : []))
      const file = files.get(module)
      if (file === undefined) throw new Error(`The screen of ${name} is not under screens/.`)
      return {
        name,
        pattern: pattern(path).source,
        access,
        layout,
        screen: file.replace('./', 'src/'),
        calls,
      }
    }),
  )
}
