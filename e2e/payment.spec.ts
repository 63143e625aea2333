import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'

const works = '4242 4242 4242 4242'
const asks = '4000 0027 6000 3184'
const declined = '4000 0000 0000 0002'

/** Types a test card as people do, and sends it. */
async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByRole('button', { name: m.test_card_use_one({ number }) }).click()
  const expiry = page.getByRole('textbox', { name: m.card_expiry() })
  await expiry.clear()
  await expiry.pressSequentially('1240')
  await expect(expiry).toHaveValue('12/40')
  await page.getByRole('textbox', { name: m.card_cvc() }).fill('123')
  await page.getByRole('button', { name: m.card_add() }).click()
}

const confirmAtBank = (page: Page) => page.getByRole('button', { name: 'Confirm' }).click()

const cardsOf = async (page: Page) =>
  (await (await api(page)).list('cards')).map(({ attributes }) => attributes.last4)

test('a declined card says why and stays typed; one that the bank asks about leads back', async ({ page }) => {
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

for (const look of looks)
  test.describe(`seen ${look.colorScheme} at ${look.width}`, () => {
    test.use(seenAs(look))

    test('paying can be used by everybody', async ({ page }) => {
      await newcomer(page)
      await page.goto('/add-new-card')
      await page.getByRole('button', { name: m.card_add() }).click()
      await expect(page.getByText(m.fault_card_number())).toBeVisible()
      await expectAccessible(page, 'adding a card')
      await typeCard(page, works)
      await expect(page).toHaveURL('/billing')
    })
  })
