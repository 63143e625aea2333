import type { Page } from '@playwright/test'
import { type RouteName, routes } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { addressOf, routeNames } from './addresses.ts'
import { expect, signIn, test } from './fixtures.ts'

/** These only pass through: without a code there is nobody to sign in. */
const passing: readonly RouteName[] = ['callback', 'google-callback']
/** Whoever has completed their registration is sent on. */
const done: readonly RouteName[] = ['register-google']

/** These need the link of a letter, or a ticket, which names its page; their own specs have one. */
const ofTheirOwn: readonly RouteName[] = ['invitation', 'view-ticket']

const of = (access: 'open' | 'client') =>
  routeNames.filter((name) => routes[name].access === access && ![...passing, ...ofTheirOwn].includes(name))

async function expectLayout(page: Page, name: RouteName): Promise<void> {
  const { layout } = routes[name]
  const bar = page.getByRole('banner')
  const account = bar.getByRole('button', { name: /Account menu of/ })
  const terms = page.getByRole('contentinfo').getByRole('link', { name: m.terms() })
  await expect(account).toHaveCount(layout === 'main' ? 1 : 0)
  await expect(terms).toHaveCount(layout === 'plain' || layout === 'plain-wide' ? 1 : 0)
  if (layout === 'main' || layout === 'invite') await expect(bar.getByLabel(m.logo())).toBeVisible()
}

/** What these say beside a link that is made up. */
const headings: Partial<Record<RouteName, string>> = {
  login: m.login_heading(),
  'verify-email': m.link_invalid_title(),
  'reset-password': m.link_invalid_title(),
  'email-change': m.link_invalid_title(),
}

async function expectScreen(page: Page, name: RouteName): Promise<void> {
  const title = routes[name].title()
  await expect(page).toHaveTitle(`${title} · Portico`)
  await expect(page.getByRole('heading', { level: 1, name: headings[name] ?? title })).toBeVisible()
  await expectLayout(page, name)
}

/** Whatever the policy of the page has blocked, on any page that is opened. */
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

/** What the pages of links ask; those of these tests are made up. */
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

/** Pages that the seed does not name, and why they are: mails and the rules for passwords need them. */
const added: readonly RouteName[] = [
  'forgot-password',
  'reset-password',
  'email-change',
  'outbox',
  'terms',
  'privacy',
]

test('the portal has the 29 pages of its contract, and few others', () => {
  expect(routeNames.filter((name) => !added.includes(name))).toHaveLength(29)
})

for (const [access, names] of [
  ['open', of('open')],
  ['client', of('client')],
] as const) {
  test(`every page that is ${access} has its screen, layout and title, fits a phone, and breaks no rule`, async ({
    page,
  }) => {
    test.setTimeout(120_000)
    const violations = await violationsOf(page)
    const refusals = refusalsOf(page)
    if (access === 'client') await signIn(page)
    for (const name of names.filter((one) => !done.includes(one))) {
      await test.step(name, async () => {
        await page.setViewportSize({ width: 1280, height: 800 })
        await page.goto(addressOf(name))
        await expectScreen(page, name)
        expect(await sideways(page)).toBeLessThanOrEqual(0)
        await page.setViewportSize({ width: 360, height: 740 })
        expect(await sideways(page), 'on a phone').toBeLessThanOrEqual(0)
      })
    }
    expect(violations).toEqual([])
    expect(refusals).toEqual([])
  })
}

test('a code of nobody leads back to sign-in with a message', async ({ page, complaints }) => {
  for (const name of passing) {
    await page.goto(`${addressOf(name)}?code=forged`)
    await expect(page).toHaveURL(/\/login\?error=/)
    await expect(page.getByRole('alert')).toContainText('An error has occured')
  }
  // Each refusal is logged once for whoever looks, and nothing else is.
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
