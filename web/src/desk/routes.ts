import type { PathParams } from '../route.ts'
import type { RouteName, routes } from '../routes.ts'
import { m } from '../texts/compiled/messages.js'

/** Every page of the desk; addresses are below `/desk`, where its router begins. */
export const deskRoutes = {
  home: { path: '/', title: m.desk_home_title, screen: () => import('./screens/home.tsx') },
  clients: { path: '/clients', title: m.desk_clients_title, screen: () => import('./screens/clients.tsx') },
  client: {
    path: '/clients/:id/:tab?',
    title: m.desk_client_title,
    screen: () => import('./screens/client.tsx'),
  },
} as const

export type DeskRouteName = keyof typeof deskRoutes
type Params<N extends DeskRouteName> = PathParams<(typeof deskRoutes)[N]['path']>
type Arguments<N extends DeskRouteName> =
  object extends Params<N> ? [params?: Params<N>] : [params: Params<N>]

/** The address of a page of the desk, for its router. */
export function deskHref<N extends DeskRouteName>(name: N, ...[params]: Arguments<N>): string {
  const given: Readonly<Record<string, string | number | undefined>> = params ?? {}
  const parts = deskRoutes[name].path.split('/').flatMap((part) => {
    if (!part.startsWith(':')) return [part]
    const value = given[part.slice(1).replace('?', '')]
    return value === undefined ? [] : [encodeURIComponent(value)]
  })
  return parts.join('/') || '/'
}

/**
 * Pages of the portal that the desk leads to, by a full load. They are repeated here because the table of the portal's
 * pages would bring all of them into the build of the desk; the type compares them.
 */
export const portal = {
  login: '/login',
  dashboard: '/',
  tickets: '/tickets',
  'manage-account': '/manage-account',
} as const satisfies { [N in RouteName]?: Plain<(typeof routes)[N]['path']> }

type Plain<P extends string> = P extends `${infer First}/:${string}?` ? (First extends '' ? '/' : First) : P

/** The page of a ticket in the portal. */
export const ticketPage = (id: number): string => `/view-ticket/${id}`
