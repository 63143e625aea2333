import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { type Change, inDatabase } from './database.ts'
import { newcomer } from './newcomer.ts'

/** A new person with an account in dollars and a country, so that their VAT is known. Returns their address. */
export async function payer(page: Page, change: Change = inDatabase): Promise<string> {
  const email = await newcomer(page)
  await change('update clients set currency_follows_country = false where email = $1', email)
  await change(
    `update client_entities set address1 = 'Strada Lungă 5', city = 'Cluj-Napoca', zip_code = '400001',
       country_id = c.id, county_id = (select id from counties where code = 'RO-CJ')
     from countries c where c.code = 'RO'
     and client_id = (select id from clients where email = $1)`,
    email,
  )
  return email
}

/** The sandbox's cards, by what their bank does. */
export const testCard = {
  works: '4242 4242 4242 4242',
  asks: '4000 0027 6000 3184',
  declined: '4000 0000 0000 0002',
  declinesLater: '4000 0000 0000 0341',
} as const

/** Their card was refused so often, after what they have paid. */
export const failToPay = (email: string, times: number): Promise<void> =>
  inDatabase(
    `insert into payments (client_id, purpose, provider, currency, net, vat, gross, vat_treatment, vat_country, vat_rate,
       status, failure_code)
     select client_id, purpose, provider, currency, net, vat, gross, vat_treatment, vat_country, vat_rate, 'failed',
       'card_declined'
     from payments, generate_series(1, $2) where client_id = (select id from clients where email = $1)`,
    email,
    times,
  )

/** The expiry that a test card is filled in with. */
export const testExpiry = `12/${String(new Date().getFullYear() + 4).slice(-2)}`

/** Chooses a test card, which fills the form in, and sends it. */
export async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByRole('button', { name: m.test_card_use_one({ number }) }).click()
  await page.getByRole('button', { name: m.card_add() }).click()
}

export const confirmAtBank = (page: Page) => page.getByRole('button', { name: 'Confirm' }).click()
