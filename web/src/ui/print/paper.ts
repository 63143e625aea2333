import './print.css'
import { onPrinting } from './printing.ts'

const scheme = 'data-mantine-color-scheme'

/** Pages are printed as they look by day: ink on white paper. */
function printLight(): void {
  const { documentElement: root } = document
  let screen: string | null = null
  onPrinting((isPrinting) => {
    if (isPrinting) {
      screen ??= root.getAttribute(scheme)
      root.setAttribute(scheme, 'light')
    } else if (screen !== null) {
      root.setAttribute(scheme, screen)
      screen = null
    }
  })
}

printLight()
