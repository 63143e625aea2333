import { type RouteName, routes } from '../web/src/routes.ts'

/** An address of each page, with something in the place of what it must name. */
export function addressOf(name: RouteName): string {
  const parts = routes[name].path.split('/').filter((part) => !part.endsWith('?'))
  return parts.map((part) => (part.startsWith(':') ? '1' : part)).join('/') || '/'
}

// `routes` is the very record whose keys these are.
export const routeNames = Object.keys(routes) as RouteName[]
