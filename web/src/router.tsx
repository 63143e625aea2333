import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  notFound,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router'
import type { FunctionComponent } from 'react'
import { Shell } from './components/layout/shell.tsx'
import type { Layout, Route } from './route.ts'
import { pattern } from './route-pattern.ts'
import { type RouteName, routes } from './routes.ts'
import { ErrorScreen } from './screens/error.tsx'
import { ChunkFailed, chunk, reloadOnce } from './ui/loading/chunk.ts'

type Module = { default: FunctionComponent }

// The route table cannot declare this type itself (see there).
const table: Record<RouteName, Route<Module>> = routes

/**
 * The paths of a route and their screens: with and without the optional part, where these are two screens.
 */
function screensOf<Screen>({ path, screen, opened }: Route<Screen>) {
  if (!opened) return [{ path, screen }]
  return [
    { path: path.replace(/\/:\w+\?$/, '') || '/', screen },
    { path: path.replace(/\?$/, ''), screen: opened },
  ]
}

/** `/tickets/:panel_id?` in the router's syntax. */
const toRouterPath = (path: string) => path.replace(/:(\w+)\?/g, '{-$$$1}').replace(/:(\w+)/g, '$$$1')

const lazily = (load: () => Promise<FunctionComponent>) =>
  lazyRouteComponent(async () => ({ default: await chunk(load) }))

const NotFoundScreen = lazily(async () => (await import('./screens/not-found.tsx')).NotFoundScreen)

/** The error page inside an intact layout. */
const PageError = (failed: ErrorComponentProps) => <ErrorScreen {...failed} lone={false} />

async function protect(name: RouteName, address: string): Promise<void> {
  const { guard } = await chunk(() => import('./guard.ts'))
  const detour = await guard(name, address)
  if (detour) throw redirect({ ...detour, replace: true })
}

const layouts: Record<Layout, ReturnType<typeof lazily>> = {
  main: lazily(async () => (await import('./components/layout/main-layout.tsx')).MainLayout),
  guest: lazily(async () => (await import('./components/layout/guest-layout.tsx')).GuestLayout),
  plain: lazily(async () => (await import('./components/layout/plain-layout.tsx')).PlainLayout),
  'plain-wide': lazily(
    async () => (await import('./components/layout/plain-wide-layout.tsx')).PlainWideLayout,
  ),
  invite: lazily(async () => (await import('./components/layout/invite-layout.tsx')).InviteLayout),
  bare: lazily(async () => (await import('./components/layout/bare-layout.tsx')).BareLayout),
}

const SignedIn = lazily(async () => (await import('./components/layout/signed-in.tsx')).SignedIn)

function makeTree() {
  const root = createRootRoute({
    component: Shell,
    notFoundComponent: NotFoundScreen,
    errorComponent: ErrorScreen,
  })
  const parents = new Map<string, AnyRoute>()

  function parentOf({ access, layout = 'guest' }: Route): AnyRoute {
    const key = `${access}-${layout}`
    const known = parents.get(key)
    if (known) return known
    const above = access === 'open' ? root : signedIn
    const parent = createRoute({ getParentRoute: () => above, id: key, component: layouts[layout] })
    parents.set(key, parent)
    return parent
  }

  const signedIn = createRoute({
    getParentRoute: () => root,
    id: 'signed-in',
    component: SignedIn,
  })

  function make(name: RouteName): AnyRoute[] {
    const route = table[name]
    return screensOf(route).map(({ path, screen }) => {
      const fits = pattern(path)
      const component = lazily(async () => (await screen()).default)
      return createRoute({
        getParentRoute: () => parentOf(route),
        path: toRouterPath(path),
        staticData: { name },
        component,
        errorComponent: PageError,
        beforeLoad: async ({ location }) => {
          if (!fits.test(location.pathname)) throw notFound({ routeId: root.id })
          if (route.access === 'open') return
          // The chunks of the page load in parallel with the person.
          for (const part of [SignedIn, layouts[route.layout ?? 'guest'], component]) void part.preload?.()
          await protect(name, location.href)
        },
      })
    })
  }

  // `routes` is the record with these keys.
  const names = Object.keys(routes) as RouteName[]
  const made = Map.groupBy(names.flatMap(make), (route) => route.options.getParentRoute())
  const open = [...parents.values()].filter((parent) => parent.options.getParentRoute() === root)
  const client = [...parents.values()].filter((parent) => parent.options.getParentRoute() === signedIn)
  for (const [parent, children] of made) parent.addChildren(children)
  return root.addChildren([...open, signedIn.addChildren(client)])
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    name?: RouteName
  }
}

const reduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Pages fade when the path changes, except under reduced motion; scroll positions are restored on the way
 * back.
 */
const inBrowser = {
  scrollRestoration: true,
  defaultViewTransition: {
    types: ({ pathChanged }: { pathChanged: boolean }): string[] | false =>
      pathChanged && !reduced() ? ['page'] : false,
  },
}

/** At build there is no window: the prerenderer passes the address, and nothing fades. */
const atBuild = (history: RouterHistory) => ({ history, origin: 'http://localhost' })

/** The router over the route table. */
export function makeRouter(history?: RouterHistory) {
  return createRouter({
    routeTree: makeTree(),
    ...(history ? atBuild(history) : inBrowser),
    isServer: false,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultErrorComponent: ErrorScreen,
    defaultNotFoundComponent: NotFoundScreen,
    defaultOnCatch: (error) => {
      if (error instanceof ChunkFailed) reloadOnce()
    },
  })
}
