import { createRoot } from 'react-dom/client'
import { App } from '../app.tsx'
import { startLanguage } from '../stores/language.ts'
import { letFadesEnd } from '../ui/fade.ts'
import '../ui/kept-focus.ts'
import { keepPresses } from '../ui/loading/kept-press.ts'
import { makeRouter } from './router.tsx'

letFadesEnd()
keepPresses()
startLanguage(document.documentElement.lang)

const container = document.getElementById('root')
if (!container) throw new Error('The page has no #root.')

createRoot(container).render(<App router={makeRouter()} />)
