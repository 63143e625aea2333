import { MantineProvider } from '@mantine/core'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { colorSchemeManager } from './stores/theme.ts'
import { theme } from './ui/theme.ts'
import './ui/styles/first-paint.ts'

const manager = colorSchemeManager()

/** Everything, in the browser and when pages are rendered at build. */
export function App({ router }: { router: AnyRouter }) {
  return (
    <MantineProvider theme={theme} colorSchemeManager={manager} defaultColorScheme="light">
      <RouterProvider router={router} />
    </MantineProvider>
  )
}
