import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, openTab, test } from './fixtures.ts'
import { lastLetter } from './letters.ts'
import { looks, seenAs } from './looks.ts'
import { profileOf } from './money.ts'
import { newcomer } from './newcomer.ts'
import { confirmAtBank, failToPay, payer, testCard, testExpiry, typeCard } from './payer.ts'
import { refusal } from './refusal.ts'

const { works, asks, declined, declinesLater } = testCard

const beginningOf = (file: string) => fs.readFileSync(file).subarray(0, 5).toString()

const cardsOf = async (page: Page) =>
  (await (await api(page)).list('cards')).map(({ attributes }) => attributes.last4)

test('a declined card says why and stays typed; one that the bank asks about leads back', async ({
  page,
}) => {
  await newcomer(page)
  await page.goto('/add-new-card?next=%2Fbilling-log')
  await typeCard(page, declined)
  await expect(page.getByRole('alert').getByText(m.refused_declined())).toBeVisible()
  await expect(page.getByRole('textbox', { name: m.card_number() })).toHaveValue(declined)
  await typeCard(page, asks)
  await confirmAtBank(page)
  await expect(page).toHaveURL('/billing-log')
  expect(await cardsOf(page)).toEqual(['3184'])
})

/** On a line of 20 KB a second one sees how far the file of both documents has come. */
async function expectArchive(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const limit = (downloadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput,
      uploadThroughput: -1,
    })
  await limit(20_000)
  const arriving = page.waitForEvent('download')
  await page.getByRole('button', { name: m.archive_verb() }).click()
  const soFar = m.archive_running({ begun: '[12]', total: '2', size: '\\d+' })
  await expect(page.getByRole('status').filter({ hasText: new RegExp(soFar) })).toBeVisible()
  await limit(-1)
  expect((await arriving).suggestedFilename()).toMatch(/^documents-.+\.zip$/)
  await expect(page.getByText(m.archive_done({ count: 2 }))).toBeVisible()
  const box = page.getByRole('checkbox', { name: new RegExp(m.document_tick({ number: '' })) }).first()
  await box.check()
  const chosen = page.waitForEvent('download')
  await page.getByRole('button', { name: m.archive_ticked({ count: 1 }) }).click()
  expect((await chosen).suggestedFilename()).toBe('documents.zip')
  await expect(page.getByText(m.archive_done({ count: 1 }))).toBeVisible()
  await page.getByRole('button', { name: m.archive_untick() }).click()
  await expect(box).not.toBeChecked()
}

/** Of 26 payments the oldest stands on the second page. */
async function expectPages(page: Page, email: string): Promise<void> {
  await failToPay(email, 25)
  await page.reload()
  const payments = page.getByRole('table', { name: m.payments_title() })
  await expect(payments.getByRole('rowheader')).toHaveCount(10)
  const pages = page.getByRole('navigation', { name: m.pages() })
  await pages.getByRole('combobox', { name: m.rows_a_page() }).selectOption('25')
  await expect(payments.getByRole('rowheader')).toHaveCount(25)
  await pages.getByRole('button', { name: m.next() }).click()
  await expect(payments.getByRole('row', { name: m.purpose_deposit() })).toHaveCount(1)
  await expect(payments.getByRole('row', { name: m.purpose_deposit() })).toContainText(m.payment_succeeded())
}

/** The letter about a document, as a demo shows it, gives the document that it carries. */
async function expectCarried(page: Page, email: string): Promise<void> {
  const { id, subject } = await lastLetter(page.request, email, /invoice/i)
  await page.goto(`${href('outbox')}?letter=${id}`)
  await expect(page.getByRole('heading', { level: 1, name: subject })).toBeVisible()
  const file = page.getByRole('list', { name: m.files_attached() }).getByRole('link', { name: /\.pdf$/ })
  const [download] = await Promise.all([page.waitForEvent('download'), file.click()])
  expect(download.suggestedFilename()).toBe(await file.textContent())
  expect(beginningOf(await download.path())).toBe('%PDF-')
}

/** Shares billing with another person, who pays nothing yet. */
const openBilling = (owner: string, guest: string) =>
  inDatabase(
    `insert into share_permissions (inviting_client_id, invited_client_id, billing)
     select o.id, g.id, 'allowed' from clients o, clients g where o.email = $1 and g.email = $2`,
    owner,
    guest,
  )

/** A payment of theirs that their card refused. */
const failedOnce = (email: string) =>
  inDatabase(
    `insert into payments (client_id, purpose, provider, currency, net, vat, gross, vat_treatment, vat_country, vat_rate,
       status, failure_code)
     select id, 'deposit', 'sandbox', 'USD', 20, 4.2, 24.2, 'domestic', 'RO', 21, 'failed', 'card_declined'
     from clients where email = $1`,
    email,
  )

test('a guest who adds a card reads whose account it is for', async ({ page }) => {
  const owner = await payer(page)
  await page.context().clearCookies()
  const guest = await newcomer(page)
  await openBilling(owner, guest)
  await inDatabase(`update clients set first_name = 'Olga', last_name = 'Dinu' where email = $1`, owner)
  await page.goto(href('billing', {}))
  const accounts = page.getByRole('list', { name: m.accounts_title() }).getByRole('listitem')
  await expect(accounts).toHaveCount(2)
  await expect(accounts.first()).toContainText(m.account_own())
  await expect(accounts.filter({ hasText: 'Olga Dinu' })).toContainText(m.account_shared())
  await expect(accounts.filter({ hasText: 'Olga Dinu' })).toContainText(/\$\d/)
  await expectAccessible(page, 'the billing of two accounts')
  // The documents of both are one list, which the account narrows.
  await openTab(page, m.invoices_title())
  await expect(page.getByRole('combobox', { name: m.account() })).toHaveValue('')
  await failedOnce(owner)
  await openTab(page, m.payments_title())
  const payments = page.getByRole('table', { name: m.payments_title() }).getByRole('rowheader')
  await expect(payments).toHaveText([`${m.purpose_deposit()}Olga Dinu`])
  await openTab(page, m.billing_overview())
  await accounts.getByRole('link', { name: 'Olga Dinu' }).click()
  await expect(page).toHaveURL(/account=\d+/)
  const account = page.getByRole('combobox', { name: m.account() })
  await expect(account.getByRole('option', { name: 'Olga Dinu' })).toHaveJSProperty('selected', true)
  // A top-up from here is of the shared account.
  await page.getByRole('main').getByRole('link', { name: m.payment_title() }).click()
  await expect(page).toHaveURL(/\/payment\?account=\d+/)
  await expect(account.getByRole('option', { name: 'Olga Dinu' })).toHaveJSProperty('selected', true)
  await page.goBack()
  await openTab(page, m.billing_methods())
  await page.getByRole('link', { name: m.add_new_card_title() }).first().click()
  await expect(page.getByText(m.card_lead_of({ name: 'Olga Dinu' }))).toBeVisible()
  await expectAccessible(page, 'a card for somebody else')
  await typeCard(page, works)
  await expect(page).toHaveURL(/\/billing\?.*account=/)
  await expect(page.getByRole('region', { name: m.cards_title() })).toContainText('4242')
  expect(await cardsOf(page)).toEqual([])
})

test('a client pays by saved card, and balance, sum and invoice agree', async ({ page }) => {
  const email = await payer(page)
  await page.goto('/payment?amount=20')
  await typeCard(page, works)
  // The amount stays while the card is added next to it.
  await expect(page.getByRole('textbox', { name: m.payment_amount() })).toHaveValue('20')
  const before = await profileOf(page)
  const sums = page.getByRole('table', { name: m.quote_title() })
  await expect(sums.getByRole('row', { name: m.quote_total() })).toContainText('$24.20')
  await page.getByRole('button', { name: m.pay_sum({ amount: '$24.20' }) }).click()
  await expect(page).toHaveURL(/\/payment\?transaction=\d+$/)
  await expect(page.getByText(m.payment_on_balance({ amount: '$20.00' }))).toBeVisible()
  // Nothing is used yet, so that it lasts without an end; what comes next is on offer.
  await expect(page.getByText(/^Available now: \$\d+\.\d\d$/)).toBeVisible()
  await expect(page.getByRole('link', { name: m.payment_next_automatic() })).toHaveAttribute(
    'href',
    /tab=methods/,
  )
  const after = await profileOf(page)
  expect(after.account_balance - before.account_balance).toBeCloseTo(20, 6)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download .+ as PDF$/ }).click(),
  ])
  expect(beginningOf(await download.path())).toBe('%PDF-')
  const invoices = await (await api(page)).list('invoices?filter[kind]=fiscal')
  expect(invoices.map(({ attributes: { net, vat, total } }) => [net, vat, total])).toEqual([[20, 4.2, 24.2]])
  await page.getByRole('link', { name: m.payment_to_billing() }).click()
  await openTab(page, m.payments_title())
  const payments = page.getByRole('table', { name: m.payments_title() })
  await expect(payments.getByRole('row', { name: m.purpose_deposit() })).toContainText('$24.20')
  await page.getByRole('combobox', { name: m.column_status() }).selectOption(m.payment_failed())
  await expect(page).toHaveURL(/status=failed/)
  await page.getByRole('button', { name: m.filters_clear() }).click()
  await expect(payments.getByRole('row', { name: m.purpose_deposit() })).toBeVisible()
  await openTab(page, m.invoices_title())
  const documents = page.getByRole('table', { name: m.invoices_title() })
  await expect(documents.getByRole('row', { name: m.invoice_fiscal() })).toContainText('$24.20')
  await expectArchive(page)
  await openTab(page, m.payments_title())
  await expectPages(page, email)
  await expectCarried(page, email)
})

test('a payment that the bank asks about is resumed by its address; a declined one stays typed', async ({
  page,
}) => {
  await payer(page)
  await page.goto('/add-new-card?next=%2Fpayment%3Famount%3D50')
  await typeCard(page, asks)
  await confirmAtBank(page)
  await page.getByRole('button', { name: m.pay_sum({ amount: '$60.50' }) }).click()
  await page.getByRole('button', { name: 'Confirm' }).waitFor()
  const waiting = await (await api(page)).list('transactions')
  // The browser was closed there: the address of the payment is enough.
  await page.goto(`/payment?transaction=${waiting[0]?.id}`)
  await expect(page.getByText(m.payment_waits_text())).toBeVisible()
  await page.getByRole('link', { name: m.challenge_continue() }).click()
  await confirmAtBank(page)
  await expect(page.getByText(m.payment_on_balance({ amount: '$50.00' }))).toBeVisible()
  // The credit of the trial is still there.
  await expect(page.getByText(m.payment_now({ amount: '$70.00' }))).toBeVisible()
  await page.goto('/payment?amount=30')
  const card = page.getByRole('combobox', { name: m.pay_card() })
  await card.selectOption({ label: m.add_new_card_title() })
  await typeCard(page, declinesLater)
  await expect(card.getByRole('option', { name: `Visa •••• 0341, ${testExpiry}` })).toHaveJSProperty(
    'selected',
    true,
  )
  await page.getByRole('button', { name: m.pay_sum({ amount: '$36.30' }) }).click()
  await expect(page.getByRole('alert').getByText(m.refused_declined())).toBeVisible()
  await expect(page.getByRole('textbox', { name: m.payment_amount() })).toHaveValue('30')
  // The next attempt takes the other card.
  await expect(page.getByText(m.pay_other_card({ name: 'Visa •••• 3184' }))).toBeVisible()
})

for (const look of looks)
  test.describe(`seen ${look.colorScheme} at ${look.width}`, () => {
    test.use(seenAs(look))

    test('paying can be used by everybody', async ({ page }) => {
      await newcomer(page)
      await page.goto('/add-new-card')
      await page.getByRole('button', { name: m.card_add() }).click()
      await expect(page.getByText(refusal('card_number_invalid'))).toBeVisible()
      await expectAccessible(page, 'adding a card')
      await typeCard(page, works)
      await expect(page.getByRole('list', { name: m.cards_title() })).toContainText('Visa •••• 4242')
      await openTab(page, m.invoices_title())
      await expect(page.getByText(m.invoices_none_title())).toBeVisible()
      await openTab(page, m.billing_methods())
      await page.getByRole('button', { name: m.auto_set_up() }).click()
      await page.getByRole('textbox', { name: m.auto_cap() }).fill('20')
      await page.getByRole('button', { name: m.auto_turn_on() }).click()
      // A month has room for one payment at least.
      await expect(page.getByText(m.fault_auto_cap())).toBeVisible()
      await expectAccessible(page, 'the cards, and when they are charged')
      await page.goto('/payment?amount=20')
      // Without an address the VAT is unknown.
      await expect(page.getByText(m.quote_incomplete())).toBeVisible()
      await expectAccessible(page, 'a payment')
      await page.goto('/usages/pay')
      await expect(page.getByText(m.pay_none_title())).toBeVisible()
    })
  })

/**
 * A stand-in for Stripe's script, which tests cannot load: it shows its options in the place of the form, and reports
 * every input as valid.
 */
const standIn = `window.Stripe = (key, { locale }) => ({
  elements: ({ clientSecret }) => ({
    create: () => {
      const heard = {}
      return {
        on: (name, hear) => { heard[name] = hear },
        mount: (place) => { place.textContent = [key, locale, clientSecret].join(' '); heard.ready() },
        destroy: () => undefined,
      }
    },
  }),
  confirmSetup: async ({ confirmParams }) => ({ setupIntent: confirmParams }),
})`

test.describe('where Stripe takes the cards', () => {
  // The content security policy is tested by the server's own tests.
  test.use({ bypassCSP: true })

  test('its form is opened in its own script with the secret of the request, and asked for nowhere else', async ({
    page,
  }) => {
    await newcomer(page)
    const asked: string[] = []
    await page.route('https://js.stripe.com/**', (route) => {
      asked.push(route.request().url())
      return route.fulfill({ contentType: 'text/javascript', body: standIn })
    })
    const attributes = {
      provider: 'stripe',
      status: 'requires_action',
      publishable_key: 'pk_test_12345678',
      client_secret: 'seti_1_secret_2',
    }
    await page.route('**/api/v1/stripe-setup-intents', (route) =>
      route.fulfill({ status: 201, json: { data: { type: 'stripe-setup-intents', id: '7', attributes } } }),
    )
    await page.route('**/stripe-setup-intents/7/-actions/confirm', (route) =>
      route.fulfill({ json: { status: 'succeeded', card_id: 1, challenge_url: null, client_secret: null } }),
    )
    await page.goto('/billing?tab=methods')
    await expect(page.getByText(m.cards_none_title())).toBeVisible()
    expect(asked).toEqual([])
    await page.goto('/add-new-card?next=%2Fbilling-log')
    await expect(page.getByText('pk_test_12345678 en seti_1_secret_2')).toBeVisible()
    expect(asked).toHaveLength(1)
    await page.getByRole('button', { name: m.card_add() }).click()
    await expect(page).toHaveURL('/billing-log')
  })
})
