import { routes } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { AppFrame } from './app-frame.tsx'

/** Around every page. */
export const Shell = () => (
  <AppFrame titleOf={({ name }) => (name === undefined ? undefined : routes[name].title())} app={m.brand} />
)
