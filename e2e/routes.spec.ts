import type { Page } from '@playwright/test'
import { href, type RouteName, routes } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { addressOf, routeNames } from './addresses.ts'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

/** These routes only redirect: without a code there is no sign-in. */
const passing: readonly RouteName[] = ['callback', 'google-callback']

const of = (access: 'open' | 'client') =>
  routeNames.filter((name) => routes[name].access === access && !passing.includes(name))

async function expectLayout(page: Page, name: RouteName): Promise<void> {
  const { layout } = routes[name]
  const bar = page.getByRole('banner')
  const terms = page.getByRole('contentinfo').getByRole('link', { name: inRomanian(m.terms) })
  await expect(terms).toHaveCount(layout === 'plain' || layout === 'plain-wide' ? 1 : 0)
  if (layout === 'main' || layout === 'invite') await expect(bar.getByLabel(inRomanian(m.logo))).toBeVisible()
}

/** The headings of these routes for an invalid link, or for the person that they need. */
const headings: Partial<Record<RouteName, string | RegExp>> = {
  login: inRomanian(m.login_heading),
  invitation: inRomanian(m.invitation_gone_title),
  'verify-email': inRomanian(m.link_invalid_title),
  unsubscribe: inRomanian(m.unsubscribe_title),
  'reset-password': inRomanian(m.link_invalid_title),
  'email-change': inRomanian(m.link_invalid_title),
}

type Visit = { readonly name: RouteName; readonly address: string; readonly title: string }

async function expectScreen(page: Page, { name, title }: Visit): Promise<void> {
  await expect(page).toHaveTitle(`${title} · Carpat Cloud`)
  await expect(page.getByRole('heading', { level: 1, name: headings[name] ?? title })).toBeVisible()
  await expectLayout(page, name)
}

/** The violations of the content security policy on a page. */
async function violationsOf(page: Page): Promise<string[]> {
  const violations: string[] = []
  await page.exposeFunction('reportViolation', (text: string) => violations.push(text))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report: unknown = Reflect.get(window, 'reportViolation')
      if (typeof report === 'function') report(`${event.violatedDirective} ${event.blockedURI} ${location}`)
    })
  })
  return violations
}

/** The calls of pages behind links; the links of these tests are invalid. */
const madeUp = /^\/auth\/(?:verify-email\/|password\/check$|email\/confirm$)|-actions\/preview$/

/** Answers that say no, and files that are not there. */
function refusalsOf(page: Page): string[] {
  const refusals: string[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.status() >= 400 && !madeUp.test(pathname)) refusals.push(`${response.status()} ${pathname}`)
  })
  return refusals
}

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** How many tables still wait for their rows. */
const busy = (page: Page) => page.evaluate(() => document.querySelectorAll('[aria-busy=true]').length)

const visitOf = (name: RouteName): Visit => ({
  name,
  address: addressOf(name),
  title: inRomanian(routes[name].title),
})

/** Every page once; a ticket is only known by its id and its subject, and a panel opened is a screen of its own. */
async function visits(
  page: Page,
  access: 'open' | 'client',
): Promise<{ visits: Visit[]; written: string[] }> {
  const plain = of(access).map(visitOf)
  if (access === 'open') return { visits: plain, written: [] }
  const server = await api(page)
  const [panel] = await server.list('panels')
  const tickets = await server.list('tickets')
  const [ticket] = tickets
  const messages = await server.list(`ticket-messages?filter[ticket_id]=${ticket?.id}`)
  const [invitation] = await server.list('share-invitations')
  const guest = `${invitation?.attributes.first_name} ${invitation?.attributes.last_name}`
  const named: Partial<Record<RouteName, Partial<Visit>>> = {
    'edit-permissions': {
      address: href('edit-permissions', { invitation_id: invitation?.id ?? '' }),
      title: guest,
    },
    'view-ticket': {
      address: href('view-ticket', { id: ticket?.id ?? '' }),
      title: `${ticket?.attributes.subject}`,
    },
  }
  const opened = {
    name: 'dashboard',
    address: href('dashboard', { panel_id: panel?.id }),
    title: `${panel?.attributes.name}`,
  } as const
  return {
    visits: [...plain.map((visit) => ({ ...visit, ...named[visit.name] })), opened],
    written: [...tickets, ...messages].flatMap(({ attributes }) => [
      `${attributes.subject}`,
      `${attributes.body}`,
    ]),
  }
}

/** A person whom Google has vouched for and who has not entered their details. */
const letComplete = (page: Page) =>
  page.route('**/api/user', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), google_process: 0 } })
  })

for (const [at, look] of looks.entries())
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    for (const access of ['open', 'client'] as const)
      test(`every page that is ${access} has its screen, layout and title, fits, is in Romanian and for everybody`, async ({
        page,
        context,
        baseURL,
      }) => {
        test.setTimeout(300_000)
        const violations = await violationsOf(page)
        const refusals = refusalsOf(page)
        await context.addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
        if (access === 'client') await signIn(page)
        const all = await visits(page, access)
        // Every page in one of the looks; with ALL_LOOKS in each.
        const turn = process.env.ALL_LOOKS ? 1 : looks.length
        for (const visit of all.visits.filter((_, index) => (index + at) % turn === 0)) {
          const { name, address } = visit
          await test.step(address, async () => {
            if (name === 'register-google') await letComplete(page)
            await page.goto(address)
            await expectScreen(page, visit)
            await expect.poll(() => busy(page)).toBe(0)
            expect(await sideways(page), name).toBeLessThanOrEqual(0)
            await expectRomanian(page, name, all.written)
            await expectAccessible(page, name)
            await page.unroute('**/api/user')
          })
        }
        expect(violations).toEqual([])
        expect(refusals).toEqual([])
      })
  })

test('an invalid code leads back to sign-in with a message', async ({ page, complaints }) => {
  for (const name of passing) {
    await page.goto(`${addressOf(name)}?code=forged`)
    await expect(page).toHaveURL(/\/login\?error=/)
    await expect(page.getByRole('alert')).toContainText('An error has occured')
  }
  // The browser logs each refusal once, and nothing else.
  expect(complaints.splice(0)).toHaveLength(passing.length)
})

test('every page behind sign-in sends a stranger to it, and remembers the way', async ({ page }) => {
  for (const name of of('client')) {
    const address = addressOf(name)
    await page.goto(address, { waitUntil: 'commit' })
    const search = address === '/' ? '' : `?next=${encodeURIComponent(address)}`
    await expect(page, name).toHaveURL(`/login${search}`)
  }
})
