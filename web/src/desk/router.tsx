import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { FunctionComponent } from 'react'
import { ChunkFailed, chunk, reloadOnce } from '../ui/loading/chunk.ts'
import { guard, guardPage } from './guard.ts'
import { Desk } from './layout/desk.tsx'
import { Guest } from './layout/guest.tsx'
import { Failed, NotFound } from './layout/message.tsx'
import { Shell } from './layout/shell.tsx'
import { type DeskRouteName, deskRoutes } from './routes.ts'

type Entry = {
  readonly path: string
  readonly screen: () => Promise<{ default: FunctionComponent }>
  /** The page needs no session. */
  readonly open?: true
}

// The route table cannot declare this type itself, because screens use its addresses.
const table: Record<DeskRouteName, Entry> = deskRoutes

/** `/clients/:id/:tab?` in the router's syntax. */
const toRouterPath = (path: string) => path.replace(/:(\w+)\?/g, '{-$$$1}').replace(/:(\w+)/g, '$$$1')

const lazily = (load: () => Promise<FunctionComponent>) =>
  lazyRouteComponent(async () => ({ default: await chunk(load) }))

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    desk?: DeskRouteName
  }
}

function makeTree() {
  const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Failed })
  const inside = createRoute({
    getParentRoute: () => root,
    id: 'desk',
    component: Desk,
    beforeLoad: guard,
  })
  const outside = createRoute({ getParentRoute: () => root, id: 'guest', component: Guest })
  // `deskRoutes` is the record with these keys.
  const names = Object.keys(deskRoutes) as DeskRouteName[]
  const pageOf = (name: DeskRouteName) =>
    createRoute({
      getParentRoute: () => (table[name].open ? outside : inside),
      path: toRouterPath(table[name].path),
      staticData: { desk: name },
      beforeLoad: () => (table[name].open ? undefined : guardPage(name)),
      component: lazily(async () => (await table[name].screen()).default),
      errorComponent: Failed,
    })
  const pages = (open: boolean) => names.filter((name) => (table[name].open ?? false) === open).map(pageOf)
  return root.addChildren([inside.addChildren(pages(false)), outside.addChildren(pages(true))])
}

/** The router of the desk. */
export function makeRouter() {
  return createRouter({
    routeTree: makeTree(),
    basepath: '/desk',
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultErrorComponent: Failed,
    defaultNotFoundComponent: NotFound,
    defaultOnCatch: (error) => {
      if (error instanceof ChunkFailed) reloadOnce()
    },
  })
}
