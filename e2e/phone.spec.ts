import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expect, test } from './fixtures.ts'
import { newcomer } from './newcomer.ts'

/** The details of a newcomer, whose address the public service knows by this answer. */
async function open(page: Page, answer?: string): Promise<void> {
  await newcomer(page)
  // The policy of the page lets only the service be asked that the portal was set up with, which is none here.
  await page.route('**/auth/config', (route) =>
    route.fulfill({
      json: {
        google: false,
        mail: true,
        country_lookup: answer === undefined ? null : '/lookup',
        demo_accounts: null,
      },
    }),
  )
  await page.route('**/lookup', (route) => route.fulfill({ body: answer ?? '', contentType: 'text/plain' }))
  await page.goto(href('register-details'))
  await expect(country(page)).toBeVisible()
}

const country = (page: Page) => page.getByRole('button', { name: /^Country of the number/ })
const countries = (page: Page) =>
  page.getByRole('listbox', { name: m.phone_country_search() }).getByRole('option')
const field = (page: Page) => page.getByLabel(m.phone(), { exact: true })

const named = (name: string, seen: string) => m.phone_country({ name, seen })

test('a number begins in the United States, and follows the dial code that is typed', async ({ page }) => {
  await open(page)
  await expect(country(page)).toHaveAccessibleName(named('United States', 'US +1'))
  await expect(field(page)).toHaveAttribute('name', 'telephone')
  await expect(field(page)).toHaveAttribute('maxlength', '25')
  await field(page).fill('+44')
  await expect(country(page)).toHaveAccessibleName(named('United Kingdom', 'GB +44'))
  await field(page).fill('+40721234567')
  await expect(country(page)).toHaveAccessibleName(named('Romania', 'RO +40'))
  await field(page).blur()
  await expect(field(page)).toHaveValue('+40 721 234 567')
})

test('the country is chosen by searching for it, by name or dial code, with the keyboard', async ({
  page,
}) => {
  await open(page)
  await country(page).focus()
  await page.keyboard.press('Enter')
  const search = page.getByRole('combobox', { name: m.phone_country_search() })
  await expect(search).toBeFocused()
  await page.keyboard.type('reunion')
  await expect(countries(page)).toHaveText(['Réunion+262'])
  await search.fill('49')
  await expect(countries(page).first()).toHaveText('Germany+49')
  await page.keyboard.press('Enter')
  await expect(country(page)).toHaveAccessibleName(named('Germany', 'DE +49'))
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('+49 ')
  await page.keyboard.type('30 901820')
  await page.keyboard.press('Tab')
  await expect(field(page)).toHaveValue('+49 30 901820')
  await country(page).click()
  await page.keyboard.type('zzz')
  await expect(page.getByText(m.nothing_found())).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(search).toBeHidden()
})

test('an extension is taken, and what is no number is refused under the field', async ({ page }) => {
  await open(page)
  await field(page).fill('213 373 4253 x 12')
  await field(page).blur()
  await expect(field(page)).toHaveValue('+1 213 373 4253 ext. 12')
  await field(page).fill('1')
  await page.getByRole('button', { name: m.details_submit() }).click()
  await expect(field(page)).toHaveAccessibleDescription(m.fault_phone())
  await field(page).fill('2133734253')
  await field(page).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
})

test('the country of one’s address is where numbers and addresses begin', async ({ page }) => {
  await open(page, '1;RO;ROU;Romania')
  await expect(country(page)).toHaveAccessibleName(named('Romania', 'RO +40'))
  await expect(page.getByLabel(m.country(), { exact: true })).toHaveValue(/\d/)
})

test.describe('in a browser that speaks Romanian', () => {
  test.use({ locale: 'ro-RO' })

  test('a number and an address begin in Romania', async ({ page }) => {
    await newcomer(page)
    await page.goto(href('register-details'))
    await expect(page.getByRole('button', { name: /RO \+40$/ })).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Țară' })).toHaveValue(/\d/)
  })
})

for (const answer of ['0;;;WRONG INPUT', '']) {
  test(`when the answer is "${answer}" the default stays, and the log says so`, async ({
    page,
    complaints,
  }) => {
    await open(page, answer)
    await expect.poll(() => complaints).toEqual(['unable to fetch the country'])
    await expect(country(page)).toHaveAccessibleName(named('United States', 'US +1'))
    complaints.length = 0
  })
}
