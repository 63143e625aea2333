import { expect, test } from 'vitest'
import { type RouteName, routes } from '../../routes.ts'
import { paletteLinks } from './account-links.ts'

/** Pages that people reach by a link or a button of another page. */
const reachedFromPages: readonly RouteName[] = [
  'pay',
  'share-access',
  'register-google',
  'add-new-card',
  'view-ticket',
  'add-ticket',
  'edit-permissions',
  'delegate-access',
]

test('every page of a client is in the palette, or named as reached from another page', () => {
  const offered = paletteLinks({ staff: null }).map(({ to }) => to)
  // `routes` is the very record whose keys these are.
  const names = Object.keys(routes) as RouteName[]
  const unlisted = names.filter((name) => {
    const { access, path } = routes[name]
    if (access !== 'client' || reachedFromPages.includes(name)) return false
    return !offered.includes(path.replace(/\/:\w+\?$/, '') || '/')
  })
  expect(unlisted, 'add it to account-links.ts, or to `reachedFromPages` of this test').toEqual([])
})
