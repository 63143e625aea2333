import { createRoot } from 'react-dom/client'
import { App } from '../app.tsx'
import { startLanguage } from '../stores/language.ts'
import { dropView } from '../stores/session.ts'
import { letFadesEnd } from '../ui/fade.ts'
import '../ui/focus/kept-focus.ts'
import { keepPresses } from '../ui/loading/kept-press.ts'
import { makeRouter } from './router.tsx'

// Staff are themselves at the desk, also when the browser shows it again as it was before they saw an account.
dropView()
window.addEventListener('pageshow', dropView)

letFadesEnd()
keepPresses()
startLanguage(document.documentElement.lang)

const container = document.getElementById('root')
if (!container) throw new Error('The page has no #root.')

createRoot(container).render(<App router={makeRouter()} />)
