import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { withOwnPortal } from './own-portal.ts'
import { refusal } from './refusal.ts'
import { expectRomanian } from './romanian.ts'

// The company and the policies are one for everybody.
const test = withOwnPortal()

test('an administrator mends the company, is told what is wrong, and begins a series', async ({
  page,
  complaints,
}) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_company_title() }).click()
  const form = page.getByRole('region', { name: m.desk_company_details() })
  await form.getByLabel(m.transfer_iban()).fill('RO49AAAA1B31007593840001')
  await form.getByLabel(m.desk_company_due()).fill('30')
  const save = form.getByRole('button', { name: m.save() })
  await save.click()
  await expect(form.getByLabel(m.desk_verb_reason())).toBeFocused()
  await form.getByLabel(m.desk_verb_reason()).fill('New bank')
  await save.click()
  await expect(form.getByText('This is not a valid IBAN.')).toBeVisible()
  complaints.splice(0)
  await expectAccessible(page, 'the company with a fault')
  await form.getByLabel(m.transfer_iban()).fill('ro09 bcyp 0000 0012 3456 7890')
  await save.click()
  await expect(page.getByText(m.desk_company_saved())).toBeVisible()
  await expect(form.getByLabel(m.transfer_iban())).toHaveValue('RO09BCYP0000001234567890')

  const series = page.getByRole('region', { name: m.desk_series_title() })
  await series.getByRole('button', { name: m.desk_series_new() }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel(m.desk_verb_reason())).toHaveValue('')
  const begin = async (prefix: string) => {
    await dialog.getByLabel(m.desk_series_prefix()).fill(prefix)
    await dialog.getByLabel(m.desk_verb_reason()).fill('A new year')
    await dialog.getByRole('button', { name: m.desk_series_new_verb(), exact: true }).click()
  }
  await begin('HST')
  await expect(dialog.getByRole('alert')).toContainText('A number is never issued twice')
  complaints.splice(0)
  await begin('NY27')
  await expect(dialog).toHaveCount(0)
  const rows = series.getByRole('listitem')
  await expect(rows.filter({ hasText: 'NY27' })).toContainText(m.desk_series_active())
  await expect(rows.filter({ hasText: 'HST' })).toContainText(m.desk_series_ended())
})

test('an administrator changes the rules of debts and the amounts of a currency', async ({
  page,
  complaints,
}) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/policies`)
  const days = page.getByRole('region', { name: m.desk_policies_debts() })
  await days.getByLabel(m.desk_policies_suspend()).fill('5')
  const foot = page.getByRole('region', { name: m.desk_policies_trials() })
  await foot.getByLabel(m.desk_verb_reason()).fill('Longer before a suspension')
  await foot.getByRole('button', { name: m.save() }).click()
  await expect(days.getByText('Panels are suspended later than the account is warned.')).toBeVisible()
  complaints.splice(0)
  await days.getByLabel(m.desk_policies_suspend()).fill('30')
  await foot.getByRole('button', { name: m.save() }).click()
  await expect(page.getByText(m.desk_policies_saved())).toBeVisible()

  const amounts = page.getByRole('region', { name: m.desk_policies_amounts({ currency: 'RON' }) })
  await amounts.getByLabel(m.desk_policies_quick()).fill('150; 300,50')
  await amounts.getByLabel(m.desk_verb_reason()).fill('Rounder amounts')
  await amounts.getByRole('button', { name: m.save() }).click()
  await expect(amounts.getByLabel(m.desk_policies_quick())).toHaveValue('150; 300.5')

  const changes = page.getByRole('table', { name: m.desk_policies_changes() }).getByRole('row')
  await expect(changes).toHaveCount(3)
  await expect(changes.nth(1)).toContainText(`${m.desk_policies_quick()}, RON`)
  await expect(changes.nth(1)).toContainText('→ RON 150.00, RON 300.50')
  await expect(changes.nth(2)).toContainText(new RegExp(`${m.desk_policies_suspend()}: \\d+ → 30`))
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the company and the policies are accessible, in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'admin@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/company`)
      await expect(page.getByRole('region', { name: 'Serii de numere' })).toContainText('HST')
      await expectAccessible(page, 'company')
      await expectRomanian(page, 'company')
      await page.goto(`${deskHome}/policies`)
      await expect(page.getByRole('region', { name: 'Sume în EUR' })).toBeVisible()
      await expectAccessible(page, 'policies')
      await expectRomanian(page, 'policies')
    })
  })

test('billing reads the policies and changes none; the company is for administrators', async ({ page }) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/policies`)
  await expect(page.getByText(m.desk_policies_read_only())).toBeVisible()
  await expect(page.getByLabel(m.desk_policies_suspend())).not.toBeEditable()
  await expect(page.getByRole('table', { name: m.desk_policies_changes() })).toContainText('Rounder amounts')
  await page.goto(`${deskHome}/company`)
  await expect(page.getByText(m.not_found_title())).toBeVisible()
})

test('what the tax office knows of a number fills in the company, and replaces what is typed when asked', async ({
  page,
  complaints,
}) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/company`)
  const form = page.getByRole('region', { name: m.desk_company_details() })
  const fill = form.getByRole('button', { name: m.company_lookup() })
  await form.getByLabel(m.desk_company_vat()).fill('')
  await expect(fill).toBeDisabled()
  await form.getByLabel(m.country()).selectOption('DE')
  await form.getByLabel(m.desk_company_vat()).fill('DE999999999')
  await fill.click()
  await expect(form.getByText(refusal('company_unknown'))).toBeVisible()
  complaints.splice(0)
  await form.getByLabel(m.desk_company_vat()).fill('DE811569869')
  await form.getByLabel(m.desk_company_name()).fill('')
  await fill.click()
  await expect(form.getByLabel(m.desk_company_name())).toHaveValue('Nordlicht Studio GmbH')
  await expect(form.getByLabel(m.city())).toHaveValue('Cluj-Napoca')
  await expectAccessible(page, 'a company that differs')
  await form.getByRole('button', { name: m.company_lookup_replace() }).click()
  await expect(form.getByLabel(m.city())).toHaveValue('Berlin')
})
