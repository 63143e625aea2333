import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

const start = (page: Page) => page.getByRole('article', { name: 'Start' })
const country = (page: Page) => page.getByRole('combobox', { name: m.prices_country() })
const currencies = (page: Page) => page.getByRole('navigation', { name: m.currency() })
const offers = '**/plans/-actions/offers?*'

/** The public service finds the visitor by this answer. */
async function foundIn(page: Page, answer: string): Promise<void> {
  await page.route('**/auth/config', (route) =>
    route.fulfill({ json: { google: false, mail: true, country_lookup: '/lookup', demo_accounts: null } }),
  )
  await page.route('**/lookup', (route) => route.fulfill({ body: answer, contentType: 'text/plain' }))
}

test('a visitor reads what plans cost, in each currency, and goes on to register', async ({ page }) => {
  await page.goto(href('login'))
  await page.getByRole('link', { name: m.prices_title() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.prices_title() })).toBeVisible()
  await expect(start(page)).toContainText('$8.00 a month')
  await expect(start(page)).toContainText('10 domains')
  await expect(page.getByRole('article')).toHaveCount(4)
  await currencies(page).getByRole('link', { name: 'EUR' }).click()
  await expect(start(page)).toContainText('€7.50 a month')
  await expect(currencies(page).getByRole('link', { name: 'EUR' })).toHaveAttribute('aria-current')
  await expect(currencies(page).getByRole('link', { name: 'USD' })).not.toHaveAttribute('aria-current')
  await page.reload()
  await expect(start(page)).toContainText('€7.50 a month')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: m.login_heading() })).toBeVisible()
  await page.goForward()
  await expect(start(page)).toContainText('€7.50 a month')
  await page.getByRole('main').getByRole('link', { name: m.register_title() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.register_title() })).toBeVisible()
})

test('the VAT is that of the country in the address, and follows the one that is chosen', async ({
  page,
}) => {
  await page.goto(`${href('prices')}?country=RO`)
  await expect(start(page)).toContainText(/RON\s38\.00 a month.*RON\s45\.98 with 21% VAT/)
  await expect(page.getByText(m.prices_vat_consumer({ country: 'Romania', rate: 21 }))).toBeVisible()
  await expect(country(page)).toHaveValue('RO')
  await country(page).selectOption({ label: 'Germany' })
  // Without a chosen currency, prices are in that of the country.
  await expect(start(page)).toContainText(/€7\.50 a month.*€8\.93 with 19% VAT/)
  await expect(page).toHaveURL(`${href('prices')}?country=DE`)
  await currencies(page).getByRole('link', { name: 'USD' }).click()
  await expect(start(page)).toContainText(/\$8\.00 a month.*\$9\.52 with 19% VAT/)
  await page.reload()
  await expect(start(page)).toContainText(/\$8\.00 a month.*\$9\.52 with 19% VAT/)
  await expect(country(page)).toHaveValue('DE')
  await country(page).selectOption({ label: 'United States' })
  await expect(page.getByText(m.prices_vat_none({ country: 'United States' }))).toBeVisible()
  await expect(start(page)).not.toContainText('VAT')
})

test('a visitor who is found in a country reads its currency and VAT, and may choose another', async ({
  page,
}) => {
  await foundIn(page, '1;DE;DEU;Germany')
  await page.goto(href('prices'))
  await expect(start(page)).toContainText(/€7\.50 a month.*€8\.93 with 19% VAT/)
  await expect(country(page)).toHaveValue('DE')
  await expect(page).toHaveURL(href('prices'))
  await country(page).selectOption('RO')
  await expect(start(page)).toContainText('RON 45.98 with 21% VAT')
})

test('a visitor whose address belongs to no country reads prices without VAT', async ({ page }) => {
  await foundIn(page, '1;ZZ;ZZZ;Reserved')
  await page.goto(href('prices'))
  await expect(start(page)).toContainText('$8.00 a month')
  await expect(start(page)).not.toContainText('VAT')
  await expect(country(page)).toHaveValue('')
  await expect(page.getByText(m.prices_vat())).toBeVisible()
})

test('the language is changed on the page, and the choices stay', async ({ page }) => {
  await page.goto(`${href('prices')}?country=RO&currency=EUR`)
  await expect(start(page)).toContainText('€7.50 a month')
  await expect(page).toHaveTitle(`${m.prices_title()} · ${m.brand()}`)
  await page.getByRole('button', { name: 'Română' }).click()
  await expect(page.getByRole('heading', { level: 1, name: inRomanian(m.prices_title) })).toBeVisible()
  await expect(start(page)).toContainText(/€7\.50 pe lună.*€9\.08 cu TVA 21%/)
  await expect(page).toHaveTitle(`${inRomanian(m.prices_title)} · ${m.brand()}`)
  await page.reload()
  await expect(start(page)).toContainText(/€7\.50 pe lună.*€9\.08 cu TVA 21%/)
  await expect(page.getByRole('combobox', { name: inRomanian(m.prices_country) })).toHaveValue('RO')
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('ro')
})

/** An account's own price of one plan, in a list of its own. */
const ownPrice = `with list as (insert into price_lists (code, currency) values ($1, 'USD') returning id),
  price as (insert into plan_prices (price_list_id, plan_id, valid, monthly)
    select list.id, p.id, '[2020-01-01,)', 4 from list, plans p where p.code = 'start')
  insert into client_price_lists select c.id, list.id, '[2020-01-01,)' from list, clients c where c.email = $2`

test('a signed-in person reads their own prices, and the public ones once the session has ended', async ({
  page,
}) => {
  const email = await newcomer(page)
  await inDatabase(ownPrice, `own-${crypto.randomUUID()}`, email)
  await page.goto(`${href('prices')}?country=RO&currency=USD`)
  await expect(start(page)).toContainText(/\$4\.00 a month.*\$4\.84 with 21% VAT/)
  await expect(page.getByRole('link', { name: m.to_dashboard() })).toHaveAttribute('href', '/')
  await expect(page.getByRole('main').getByRole('link', { name: m.register_title() })).toHaveCount(0)
  await inDatabase(
    `update auth_sessions set revoked_at = now(), revoke_reason = 'ended'
     where account_id = (select id from auth_accounts where email = $1)`,
    email,
  )
  // Its token has run out too: the answer to the other one may be kept for a minute.
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')
  if (!token) throw new Error('There is no token.')
  await page.context().addCookies([{ ...token, value: `${token.value}x` }])
  await page.reload()
  await expect(start(page)).toContainText('$8.00 a month')
  await expect(page.getByRole('main').getByRole('link', { name: m.register_title() })).toBeVisible()
})

test('without a connection the page says so in the language of the person, and asks again', async ({
  page,
  context,
  baseURL,
}) => {
  await context.addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await page.route(offers, (route) => route.abort())
  await page.goto(href('prices'))
  await expect(page.getByRole('alert')).toContainText(inRomanian(m.offline_short))
  await expectRomanian(page, 'prices offline')
  await page.unroute(offers)
  await page.getByRole('button', { name: inRomanian(m.retry) }).click()
  await expect(start(page)).toContainText('$8.00 pe lună')
})

test('while nothing is offered the page says so', async ({ page }) => {
  await page.route(offers, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), plans: [] } })
  })
  await page.goto(href('prices'))
  await expect(page.getByText(m.prices_none_title())).toBeVisible()
})

test('a currency that nothing is sold in is refused in words, and forgotten by the next attempt', async ({
  page,
}) => {
  await page.goto(`${href('prices')}?currency=CHF`)
  await expect(page.getByRole('alert')).toContainText('There are no prices in CHF')
  await page.getByRole('button', { name: m.retry() }).click()
  await expect(start(page)).toContainText('$8.00 a month')
  await expect(page).toHaveURL(href('prices'))
})

test('the page is reached from the portal’s own app, too', async ({ page }) => {
  await page.goto(`${href('login')}?next=${encodeURIComponent(href('prices'))}`)
  await page.getByRole('button', { name: /Ana Marin/ }).click()
  await expect(start(page)).toContainText('$8.00 a month')
  await expect(page.getByRole('link', { name: m.to_dashboard() })).toBeVisible()
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the prices break no rule of accessibility', async ({ page }) => {
      await page.goto(`${href('prices')}?country=RO`)
      await expect(page.getByRole('article')).toHaveCount(4)
      await expectAccessible(page, 'prices')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(look.width)
    })
  })
