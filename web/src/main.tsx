import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app.tsx'
// What the pages for guests share comes with the first file: they are opened with nothing cached, and all others use its parts.
import './components/guest/card.tsx'
import './components/guest/offer.ts'
import './api/refusal-words.ts'
import './components/guest/sign-in-form.tsx'
import { makeRouter } from './router.tsx'
import { startLanguage } from './stores/language.ts'
import { letFadesEnd } from './ui/fade.ts'

letFadesEnd()
startLanguage(document.documentElement.lang)

const container = document.getElementById('root')
if (!container) throw new Error('The page has no #root.')

const router = makeRouter()

// A prerendered page is hydrated with its screen in place: React must find the very same tree.
if (container.dataset.rendered === location.pathname) {
  // Not awaited: the files that this loads import from this one, and would wait for its end for ever.
  void router.load().then(() => hydrateRoot(container, <App router={router} />))
} else {
  createRoot(container).render(<App router={router} />)
}
