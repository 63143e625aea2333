import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { withOwnPortal } from './own-portal.ts'
import { expectRomanian } from './romanian.ts'

// The plans are one for everybody.
const test = withOwnPortal()

const fee = (page: Page, currency: string) =>
  page.getByRole('textbox', { name: m.desk_plan_fee({ currency }), exact: true })

for (const look of looks) {
  const code = `small-${look.width}`
  test.describe(`at ${look.width} px, ${look.colorScheme}`, () => {
    test.use(seenAs(look))

    test('billing adds a plan in a form, corrects it, edits it and publishes it', async ({
      page,
      complaints,
    }) => {
      await signIn(page, 'billing@demo.test')
      await page.goto(`${deskHome}/plans`)
      await page.getByRole('link', { name: m.desk_plan_add(), exact: true }).click()
      const name = page.getByRole('textbox', { name: m.desk_plan_name_en() })
      await expect(name).toBeFocused()
      await page.keyboard.type('Web 3')
      await page.keyboard.press('Tab')
      await page.keyboard.type('Web 3')
      await expect(page.getByRole('textbox', { name: m.desk_plan_code() })).toHaveValue('web-3')
      await expectAccessible(page, 'the form of a plan')

      // The price of the required list is missing, and the form says so where it belongs.
      await page.getByLabel(m.desk_verb_reason()).fill('A small plan')
      await page.getByRole('button', { name: m.save(), exact: true }).click()
      const price = fee(page, 'RON')
      await expect(price).toBeFocused()
      await expect(price).toHaveAccessibleDescription(/A value is required/)
      await page.keyboard.type('24,50')
      await page.getByRole('button', { name: m.save(), exact: true }).click()
      const plan = page.getByRole('textbox', { name: m.desk_plan_code() })
      await expect(plan).toHaveAccessibleDescription(/Another plan has this code/)
      await expect(plan).toBeFocused()
      await expect(price).toHaveValue('24,50')
      // The console names every refusal.
      expect(complaints.splice(0)).toEqual(['Another plan has this code.'])
      await plan.fill(code)
      await page.getByRole('textbox', { name: m.desk_plan_limit_servers() }).fill('1')
      // From here on only keys are pressed.
      await page.getByRole('combobox', { name: m.desk_plan_include() }).focus()
      await page.keyboard.type('Tra')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('combobox', { name: m.desk_plan_include() })).toBeFocused()
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('Shift+Tab')
      await expect(page.getByRole('textbox', { name: m.meter_traffic_gb(), exact: true })).toBeFocused()
      await page.keyboard.type('5')
      await page.keyboard.press('Enter')

      await expect(page.getByRole('heading', { level: 1, name: 'Web 3' })).toBeVisible()
      const facts = page.getByRole('list', { name: m.desk_plan_facts() })
      await expect(facts).toContainText('24.50')
      await expect(facts).toContainText(`${m.meter_traffic_gb()}: 5 GB a day`)
      await expectAccessible(page, 'a draft')

      // Without prices in the other currencies it cannot be offered.
      await page.getByRole('button', { name: m.desk_plans_preview() }).click()
      await expect(page.getByRole('list', { name: m.desk_plans_faults() })).toContainText(
        `A price is missing in EUR: ${code} fee.`,
      )
      await page.getByRole('link', { name: m.desk_plan_edit(), exact: true }).click()
      await fee(page, 'EUR').fill('4')
      await fee(page, 'USD').fill('5')
      await page.getByRole('textbox', { name: m.desk_plan_name_en() }).fill(`Small ${look.width}`)
      await page.getByLabel(m.desk_verb_reason()).fill('All currencies')
      await page.getByRole('button', { name: m.save(), exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name: `Small ${look.width}` })).toBeVisible()
      await page.getByRole('button', { name: m.desk_plans_preview() }).click()
      await page.getByRole('button', { name: m.desk_plans_publish() }).click()
      await confirmVerb(page.getByRole('dialog'), m.desk_plans_publish(), 'It is ready')
      await expect(page.getByRole('region', { name: m.desk_plan_facts() })).toContainText(
        m.desk_plans_offered(),
      )
      await expect(page.getByRole('link', { name: m.desk_plan_edit(), exact: true })).toHaveCount(0)
      await page.getByRole('link', { name: m.desk_plan_next_prices() }).click()
      await expect(page.getByRole('list', { name: m.desk_prices_title() })).toContainText(code)
      await page.goBack()
      await page.getByRole('link', { name: m.desk_plan_next_page() }).click()
      await expect(page.getByRole('heading', { name: `Small ${look.width}` })).toBeVisible()
    })

    test('billing deletes a draft, whose code is free again, and is told what the plan does not limit', async ({
      page,
    }) => {
      await signIn(page, 'billing@demo.test')
      const add = async () => {
        await page.goto(`${deskHome}/add-plan/start`)
        await page.getByRole('textbox', { name: m.desk_plan_code() }).fill(`gone-${look.width}`)
        await page.getByLabel(m.desk_verb_reason()).fill('An idea')
        await page.getByRole('button', { name: m.save(), exact: true }).click()
        await expect(page.getByRole('region', { name: m.desk_plan_offer() })).toBeVisible()
      }
      await add()
      await expect(page.getByRole('list', { name: m.desk_plan_facts() })).toContainText(
        m.desk_plan_unlimited({ names: '' }).trim(),
      )
      await page.getByRole('button', { name: m.desk_plan_delete() }).click()
      await confirmVerb(page.getByRole('dialog'), m.desk_plan_delete(), 'Not wanted')
      await expect(page).toHaveURL(/\/plans$/)
      await expect(page.getByText(m.desk_plan_deleted())).toBeVisible()
      await expect(page.getByText(`gone-${look.width}`)).toHaveCount(0)
      await add()
    })

    test('a plan is copied in Romanian, and what was typed is not lost without a question', async ({
      page,
      baseURL,
    }) => {
      await signIn(page, 'admin@demo.test')
      for (const unknown of ['plan/none', 'edit-plan/none', 'edit-plan/start']) {
        await page.goto(`${deskHome}/${unknown}`)
        await expect(page.getByRole('heading', { level: 1, name: m.not_found_title() })).toBeVisible()
      }
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/plan/start`)
      await page.getByRole('link', { name: 'Copiază ca plan nou' }).click()
      const code = page.getByRole('textbox', { name: 'Cod', exact: true })
      await expect(code).toBeFocused()
      await expect(page.getByRole('textbox', { name: 'Numele în română' })).toHaveValue('Start')
      await page.keyboard.type('start-plus')
      await expectAccessible(page, 'the form of a copy')
      await expectRomanian(page, 'the form of a plan')
      await page.goBack()
      const question = page.getByRole('dialog')
      await expect(question).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(code).toHaveValue('start-plus')
    })
  })
}
