import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { App } from './app.tsx'
import { Skeletons } from './components/layout/skeletons.tsx'
import { makeRouter } from './router.tsx'
import { startLanguage } from './stores/language.ts'

/** A page as text, for the document that the server sends; it is rendered once, at build. */
export async function renderPage(path: string, language: string): Promise<string> {
  startLanguage(language)
  const router = makeRouter(createMemoryHistory({ initialEntries: [path] }))
  await router.load()
  return renderToString(<App router={router} />)
}

/** The page of prices, which is an app of its own. */
export async function renderPrices(language: string): Promise<string> {
  startLanguage(language)
  const { PricesPage } = await import('./screens/prices/prices-page.tsx')
  return renderToString(<PricesPage />)
}

/** The skeleton of a protected page, shown before any script has run: its top bar and empty cards. */
export const renderSkeleton = (): string => renderToString(<Skeletons />)
