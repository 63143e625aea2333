import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app.tsx'
// Shared parts of the guest pages are in the entry file: they open with an empty cache, and all other pages
// use them too.
import './components/guest/card.tsx'
import './components/sign-in/sign-in-options.ts'
import './api/refusal-words.ts'
import './components/sign-in/sign-in-form.tsx'
import { makeRouter } from './router.tsx'
import { startLanguage } from './stores/language.ts'
import { letFadesEnd } from './ui/fade.ts'
import { keepPresses } from './ui/loading/kept-press.ts'

letFadesEnd()
keepPresses()
startLanguage(document.documentElement.lang)

const container = document.getElementById('root')
if (!container) throw new Error('The page has no #root.')

const router = makeRouter()

// A prerendered page is hydrated with its screen loaded: React must find the same tree.
if (container.dataset.rendered === location.pathname) {
  // Not awaited: the chunks import from this module and would wait for it forever.
  void router.load().then(() => hydrateRoot(container, <App router={router} />))
} else {
  createRoot(container).render(<App router={router} />)
}
