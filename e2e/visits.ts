import type { Page, Request } from '@playwright/test'
import { href, type RouteName, routes } from '../web/src/routes.ts'
import { addressOf, routeNames } from './addresses.ts'
import { api } from './api.ts'
import { expect, signIn } from './fixtures.ts'

export type Visit = {
  readonly what: string
  readonly name: RouteName
  readonly address: (page: Page) => Promise<string>
}

const first = async (page: Page, type: string) => String((await (await api(page)).list(type))[0]?.id)

/** Every page at an address that shows what it is made for, and a panel opened, which is a screen of its own. */
export const visits: readonly Visit[] = [
  ...routeNames.map((name) => ({
    what: name,
    name,
    address: async (page: Page) =>
      name === 'view-ticket' ? href(name, { id: await first(page, 'tickets') }) : addressOf(name),
  })),
  {
    what: 'an opened panel',
    name: 'dashboard',
    address: async (page) => href('dashboard', { panel_id: await first(page, 'panels') }),
  },
]

/** Makes the server answer that Google has vouched for a person who has not entered their details. */
const letComplete = (page: Page) =>
  page.route('**/api/user', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), google_process: 0 } })
  })

/** The address of a visit, after what it needs: a session, or an answer of the server. */
export async function prepared(page: Page, { name, address }: Visit): Promise<string> {
  if (routes[name].access === 'client') await signIn(page)
  const at = await address(page)
  if (name === 'register-google') await letComplete(page)
  return at
}

/** The requests of a page, and those that are still open. */
export function requestsOf(page: Page): { all: string[]; open: Set<Request> } {
  const all: string[] = []
  const open = new Set<Request>()
  page.on('request', (request) => {
    all.push(request.url())
    open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return { all, open }
}

/** Waits for everything of a page. */
export async function arrived(
  page: Page,
  { name }: Visit,
  { open }: ReturnType<typeof requestsOf>,
): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The demo panel loads last.
  if (routes[name].layout === 'main')
    await expect(page.getByRole('complementary', { name: 'Demo' })).toBeVisible()
  await expect.poll(() => open.size).toBe(0)
}

/** These pages are opened with an invalid code, whose refusal is logged in the console too. */
export const isRefused = ({ name }: Visit): boolean => name === 'callback' || name === 'google-callback'
