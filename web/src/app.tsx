import { MantineProvider } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import type { makeRouter } from './router.tsx'
import { colorSchemeManager } from './stores/theme.ts'
import { theme } from './ui/theme.ts'
import './ui/styles/first-paint.ts'

const manager = colorSchemeManager()

/** Everything, in the browser and when pages are rendered at build. */
export function App({ router }: { router: ReturnType<typeof makeRouter> }) {
  return (
    <MantineProvider theme={theme} colorSchemeManager={manager} defaultColorScheme="light">
      <RouterProvider router={router} />
    </MantineProvider>
  )
}
