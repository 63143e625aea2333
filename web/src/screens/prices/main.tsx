import type { MantineColorScheme } from '@mantine/core'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { startLanguage } from '../../stores/language.ts'
import { colorSchemeManager, shown } from '../../stores/theme.ts'
import '../../ui/styles/first-paint-bare.ts'
import { PricesPage } from './prices-page.tsx'

const showScheme = (choice: MantineColorScheme) =>
  document.documentElement.setAttribute('data-mantine-color-scheme', shown(choice))

const manager = colorSchemeManager()
showScheme(manager.get('light'))
manager.subscribe(showScheme)
startLanguage(document.documentElement.lang)

const container = document.getElementById('root')
if (!container) throw new Error('The page has no #root.')

// A development server sends it empty.
if (container.dataset.rendered === undefined) createRoot(container).render(<PricesPage />)
else hydrateRoot(container, <PricesPage />)
