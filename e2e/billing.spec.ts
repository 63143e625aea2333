import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { databaseIn } from './database.ts'
import { expect, openTab, signIn } from './fixtures.ts'
import { chargedFor, dayInWords, held, money, profileOf, sum } from './money.ts'
import { withOwnPortal } from './own-portal.ts'
import { confirmAtBank, payer, testCard, testExpiry, typeCard } from './payer.ts'

const test = withOwnPortal()

const ribbon = (page: Page) => page.getByRole('complementary', { name: m.demo_ribbon(), exact: true })
const notices = (page: Page) => page.getByRole('complementary', { name: m.account_notices() })

/** As the contract of clients numbers it. */
const suspended = 5

/** Lets a day pass, and waits until the page has heard of it. */
async function advance(page: Page): Promise<void> {
  const { as_of } = await profileOf(page)
  const next = new Date(Date.parse(as_of) + 86_400_000).toISOString().slice(0, 10)
  await ribbon(page).getByRole('button', { name: m.demo_advance() }).click()
  await expect(ribbon(page)).toContainText(m.demo_today({ date: dayInWords(next) }), { timeout: 60_000 })
}

/** The large figures, and the sum that leads from them to what is available. */
async function expectFigures(page: Page): Promise<void> {
  const profile = await profileOf(page)
  const main = page.getByRole('main')
  const figure = (name: string) => main.getByRole('definition').filter({ hasText: name })
  await expect(figure(money(profile.account_balance)).first()).toBeVisible()
  await expect(figure(money(profile.daily_use)).first()).toBeVisible()
  const reckoning = page.getByRole('table', { name: m.reckoning() })
  if (!(await reckoning.isVisible())) await page.getByText(m.reckoning_show()).click()
  await expect(reckoning.getByRole('row', { name: m.reckoning_available() })).toContainText(
    money(profile.available),
  )
  if (profile.automatic_works) await expect(figure(m.next_top_up_text({ amount: money(50) }))).toBeVisible()
  else if (profile.exhaustion_date !== null && profile.available > 0)
    await expect(figure(dayInWords(profile.exhaustion_date))).toBeVisible()
}

/** Paid items show their outcome, and an open proforma shows how to pay it by transfer. */
async function expectPast(page: Page): Promise<void> {
  await openTab(page, m.payments_title())
  const paid = page.getByRole('table', { name: m.payments_title() }).getByRole('row')
  // How often was paid in depends on the day on which the demo was made.
  await expect(paid.filter({ hasText: /4242.*\$60\.50.*HST-\d+/ }).nth(5)).toBeVisible()
  await expect(paid.filter({ hasText: m.payment_refunded() })).toContainText(
    m.refund_succeeded({ amount: '$60.50', number: 'ST-1' }),
  )
  await openTab(page, m.invoices_title())
  const documents = page.getByRole('table', { name: m.invoices_title() }).getByRole('row')
  const asked = documents.filter({ hasText: m.invoice_proforma() })
  await expect(asked).toHaveCount(1)
  await asked.getByRole('button', { name: /by bank transfer$/ }).click()
  await expect(page.getByRole('dialog')).toContainText('RO49 AAAA 1B31 0075 9384 0000')
  await page.keyboard.press('Escape')
  await openTab(page, m.billing_overview())
}

const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

test('days that pass show in use, balance, runway and log alike, to the cent', async ({ page }) => {
  test.setTimeout(240_000)
  await signIn(page)
  await page.goto(href('billing'))
  await expectPast(page)
  for (let day = 0; day < 2; day++) {
    const before = await profileOf(page)
    await expectFigures(page)
    await advance(page)
    const after = await profileOf(page)
    let charged = 0
    // More than one day, when the test runs over midnight.
    for (let day = before.as_of; day < after.as_of; day = dayAfter(day))
      charged = sum(charged, await chargedFor(page, day))
    expect(charged).toBeGreaterThan(0)
    expect(held(after)).toBe(sum(held(before), -charged))
    await expectFigures(page)
  }
  const now = await profileOf(page)
  await page.goto(href('billing-log'))
  const log = page.getByRole('table', { name: m.billing_log_title() })
  await expect(log.getByRole('row').nth(1)).toContainText(money(held(now)))
  const yesterday = new Date(Date.parse(now.as_of) - 86_400_000).toISOString().slice(0, 10)
  await page.goto(`${href('usages')}?period=${yesterday}`)
  const charged = money(await chargedFor(page, yesterday))
  await expect(page.getByRole('definition').filter({ hasText: charged }).first()).toBeVisible()
})

test('a debt is shown with its days and next step, until panels are suspended', async ({ page }) => {
  test.setTimeout(240_000)
  await signIn(page, 'ioana@demo.test')
  await page.goto(href('billing'))
  const before = await profileOf(page)
  await expect(notices(page)).toContainText(money(held(before), 'EUR'))
  await expect(notices(page)).toContainText(`${before.negative_days} days`)
  await expect(notices(page)).toContainText(money(before.banner.amount_due, 'EUR'))
  for (let day = 0; day < 8; day++) {
    await advance(page)
    const { banner } = await profileOf(page)
    if (banner.suspend_on !== null && banner.suspend_on <= (await profileOf(page)).as_of) break
  }
  const { banner } = await profileOf(page)
  await expect(notices(page)).toContainText(m.banner_suspended({ amount: money(banner.amount_due, 'EUR') }))
  const timeline = page.getByRole('region', { name: m.timeline_title() })
  const suspended = timeline.getByRole('listitem').filter({ hasText: m.step_suspended() })
  await expect(suspended).toContainText(m.step_since({ date: dayInWords(banner.suspend_on ?? '') }))
  await page.goto(href('dashboard'))
  await expect(page.getByRole('article').first()).toContainText(m.status_suspended())
})

test('a client on trial sees how long it lasts', async ({ page }) => {
  await signIn(page, 'trial@demo.test')
  await page.goto(href('billing'))
  await expect(notices(page)).toContainText(/Free trial: \d+ days? left|Your free trial has ended/)
})

/** A day of a panel costs more than a new account's credit and its allowed debt. */
const dearly = `with list as (insert into price_lists (code, currency) values ($1, 'USD') returning id),
  dear as (insert into prices (price_list_id, meter_id, valid, unit_price)
    select list.id, m.id, '[2020-01-01,)', 4 from list, meters m where m.code = 'panel_hours')
  insert into client_price_lists select c.id, list.id, '[2020-01-01,)' from list, clients c where c.email = $2`

const automatic = (page: Page) => page.getByRole('region', { name: m.auto_title() })
const decisions = (page: Page) => page.getByRole('list', { name: m.auto_decisions() })

async function addCard(page: Page, number: string): Promise<void> {
  await page.goto(href('add-new-card'))
  await typeCard(page, number)
}

/** Fills in the rule of automatic payment, and lets it charge this card. */
async function letCharge(page: Page, card: string, verb: string): Promise<void> {
  const form = automatic(page)
  await form.getByRole('combobox', { name: m.pay_card() }).selectOption({ label: card })
  await form.getByRole('textbox', { name: m.auto_threshold() }).fill('5')
  await form.getByRole('textbox', { name: m.auto_recharge() }).fill('20')
  await expect(form.getByRole('row', { name: m.quote_total() })).toContainText('$24.20')
  await form.getByRole('button', { name: verb }).click()
  await expect(form.getByText(m.auto_state_on(), { exact: true })).toBeVisible()
}

/** The payment, the documents and the ledger agree to the cent. */
async function expectBooksAgree(page: Page): Promise<void> {
  const server = await api(page)
  const sums = async (path: string, ...names: string[]) => {
    const rows = await server.list(path)
    return names.map((name) => sum(...rows.map(({ attributes }) => Number(attributes[name] ?? 0))))
  }
  const paid = await sums('transactions?filter[status]=succeeded', 'net', 'vat', 'gross')
  expect(await sums('invoices?filter[kind]=fiscal', 'net', 'vat', 'total')).toEqual(paid)
  const [deposits = 0, used = 0] = await sums('billing-logs', 'deposit', 'payment')
  expect(held(await profileOf(page))).toBe(sum(deposits, -used))
  const [given = 0] = await sums('billing-logs?filter[kind]=promo', 'deposit')
  expect(sum(deposits, -given)).toBe(paid[0])
}

test('a new person pays, has a card charged, is declined, and continues with another card', async ({
  page,
  portal,
}) => {
  test.setTimeout(240_000)
  const change = databaseIn(portal.folder)
  const email = await payer(page, change)
  await change(dearly, `dear-${Date.now()}`, email)
  const server = await api(page)
  const project = await server.create('projects', { name: 'Production' })
  await server.create(
    'panels',
    { name: 'web-one', plan_code: 'start' },
    { project: { type: 'projects', id: project } },
  )
  // Paid in by a card whose bank asks each time.
  await page.goto(`${href('add-new-card')}?next=%2Fpayment%3Famount%3D5`)
  await typeCard(page, testCard.asks)
  await confirmAtBank(page)
  await page.getByRole('button', { name: m.pay_sum({ amount: '$6.05' }) }).click()
  await confirmAtBank(page)
  await expect(page.getByText(m.payment_on_balance({ amount: '$5.00' }))).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download .+ as PDF$/ }).click(),
  ])
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
  // A card that is refused whenever it is charged may be charged from now on.
  await addCard(page, testCard.declinesLater)
  await automatic(page).getByRole('button', { name: m.auto_set_up() }).click()
  await letCharge(page, `Visa •••• 0341, ${testExpiry}`, m.auto_turn_on())
  await expect(decisions(page)).toContainText(m.auto_not_charged())
  for (let day = 0; day < 4; day++) {
    await advance(page)
    if ((await profileOf(page)).billing_status === suspended) break
  }
  await page.reload()
  await expect(notices(page)).toContainText(/Your panels are suspended until .+ is paid/)
  await expect(decisions(page).getByText(m.payment_failed(), { exact: true }).first()).toBeVisible()
  await expect(automatic(page).getByText(m.auto_state_refused(), { exact: true })).toBeVisible()
  // Another card takes its place; the old one may go then.
  await addCard(page, testCard.works)
  await automatic(page).getByRole('button', { name: m.auto_change() }).click()
  await letCharge(page, `Visa •••• 4242, ${testExpiry}`, m.save())
  await expect.poll(async () => (await profileOf(page)).billing_status, { timeout: 30_000 }).toBeLessThan(3)
  await page.goto(href('billing'))
  await expect(notices(page)).toHaveCount(0)
  await openTab(page, m.billing_methods())
  await expect(decisions(page)).toContainText(m.payment_succeeded())
  const cards = page.getByRole('list', { name: m.cards_title() })
  await cards.getByRole('button', { name: m.card_make_default_one({ name: 'Visa •••• 4242' }) }).click()
  await cards.getByRole('button', { name: m.remove_one({ name: 'Visa •••• 0341' }) }).click()
  await page.getByRole('dialog').getByRole('button', { name: m.remove() }).click()
  await expect(cards.getByRole('listitem').first()).toContainText(`Visa •••• 4242${m.card_default()}`)
  await expect(cards.getByRole('listitem')).toHaveCount(2)
  await page.goto(href('dashboard'))
  await expect(page.getByRole('article', { name: 'web-one' })).not.toContainText(m.status_suspended())
  await expectBooksAgree(page)
})

test('a payment form says at once that nothing can be invoiced, and again when it can', async ({
  page,
  portal,
}) => {
  const change = databaseIn(portal.folder)
  await signIn(page)
  await change(`update fx_rates set base = 'XXX' where base = 'USD'`)
  await page.goto(href('payment'))
  await expect(page.getByRole('textbox', { name: m.payment_amount() })).toHaveValue('')
  const notice = page.getByRole('status').filter({ hasText: m.quote_unavailable() })
  await expect(notice).toBeVisible()
  await page.getByRole('button', { name: '$20.00' }).click()
  await expect(notice).toBeVisible()
  await expect(page.getByRole('button', { name: m.usage_pay() })).toBeDisabled()
  await change(`update fx_rates set base = 'USD' where base = 'XXX'`)
  await page.reload()
  await page.getByRole('button', { name: '$20.00' }).click()
  await expect(page.getByRole('button', { name: m.pay_sum({ amount: '$24.20' }) })).toBeEnabled()
  await expect(notice).toHaveCount(0)
})
