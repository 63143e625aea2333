import type { Locator, Page } from '@playwright/test'
import { deskHome, href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { inDatabase } from './database.ts'
import { expect, signIn, test } from './fixtures.ts'
import { newcomer } from './newcomer.ts'

// A page without a scroll bar: a browser keeps in place what is below a change only where it can scroll.
test.use({ viewport: { width: 1280, height: 1800 } })

const topOf = async (button: Locator) => (await button.boundingBox())?.y

/** Presses a button at its upper edge, and holds it until what was waited for has moved it down, away from the pointer. */
async function pressWhile(button: Locator, move: () => unknown): Promise<void> {
  await button.hover({ position: { x: 8, y: 4 } })
  const top = await topOf(button)
  await button.page().mouse.down()
  await move()
  await expect.poll(() => topOf(button)).not.toBe(top)
}

/** Answers requests to an address no sooner than the returned function is called. */
async function holdAnswers(page: Page, address: RegExp): Promise<() => void> {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(address, async (route) => {
    await released
    await route.continue()
  })
  return () => release()
}

/** The payment of a person in Germany, who has no card, with the clock of the page stopped. */
async function openPayment(page: Page): Promise<Locator> {
  const email = await newcomer(page)
  await inDatabase(
    `update client_entities set address1 = 'Hauptstraße 5', city = 'Berlin', zip_code = '10115',
       country_id = (select id from countries where code = 'DE')
     where client_id = (select id from clients where email = $1)`,
    email,
  )
  await page.clock.install()
  await page.goto(href('payment'))
  await expect(page.getByRole('button', { name: m.card_add() })).toBeVisible()
  await page.clock.pauseAt(Date.now() + 10_000)
  await page.getByRole('textbox', { name: m.payment_amount() }).fill('50')
  return page.getByRole('button', { name: m.transfer_ask_one({ amount: '€50.00' }) })
}

test('a client who presses a button while the sum with VAT moves it down has pressed it', async ({
  page,
}) => {
  const ask = await openPayment(page)
  // The sum is asked for once the typing has paused.
  await pressWhile(ask, () => page.clock.resume())
  await page.mouse.up()
  await expect(page.getByRole('dialog')).toContainText(/PRF-\d+/)
})

test('a client who takes a press back, away from where it began, has pressed nothing', async ({ page }) => {
  const ask = await openPayment(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await pressWhile(ask, () => page.clock.resume())
  await page.mouse.move(40, 400)
  await page.mouse.up()
  await ask.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText(/PRF-\d+/)
  expect(asked.filter((url) => url.includes('requestProforma'))).toHaveLength(1)
})

test('staff who press a button while a refusal moves it down have pressed it', async ({
  page,
  complaints,
}) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/company`)
  const form = page.getByRole('region', { name: m.desk_company_details() })
  const answer = await holdAnswers(page, /editOperator/)
  await form.getByLabel(m.transfer_iban()).fill('RO49AAAA1B31007593840001')
  await form.getByLabel(m.desk_verb_reason()).fill('New bank')
  await form.getByRole('button', { name: m.save() }).click()
  const series = page.getByRole('region', { name: m.desk_series_title() })
  await pressWhile(series.getByRole('button', { name: m.desk_series_new() }), answer)
  await page.mouse.up()
  await expect(page.getByRole('dialog', { name: m.desk_series_new() })).toBeVisible()
  complaints.splice(0)
})

test('the button that saves the company stays in its place while the counties arrive', async ({ page }) => {
  await signIn(page, 'admin@demo.test')
  const arrive = await holdAnswers(page, /\/counties/)
  await page.goto(`${deskHome}/company`)
  const form = page.getByRole('region', { name: m.desk_company_details() })
  const save = form.getByRole('button', { name: m.save() })
  await expect(save).toBeVisible()
  const top = await topOf(save)
  arrive()
  await expect(form.getByLabel(m.county()).getByRole('option', { name: 'Cluj' })).toBeAttached()
  expect(await topOf(save)).toBe(top)
})
