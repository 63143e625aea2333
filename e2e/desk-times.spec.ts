import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'

test('an administrator reads what a rule was and is, drawn and in words, and reaches the line by keys', async ({
  page,
}) => {
  await signIn(page, 'admin@demo.test')
  const choose = async (option: string) => {
    await page.goto(`${deskHome}/policies`)
    const rules = page.getByRole('region', { name: m.desk_policies_access() })
    await rules.getByLabel(m.desk_policies_views()).selectOption(option)
    await rules.getByLabel(m.desk_verb_reason()).fill('Decided by the board')
    await rules.getByRole('button', { name: m.save() }).click()
    await expect(page.getByText(m.desk_policies_access_saved())).toBeVisible()
  }
  await choose(m.desk_policies_views_admins())
  const times = page.getByRole('region', { name: m.desk_policies_times() })
  const line = times.getByRole('listitem').filter({ hasText: m.desk_policies_views() })
  await expect(line.getByRole('listitem').last()).toContainText(m.desk_policies_views_admins())
  for (const state of [m.desk_times_past(), m.desk_times_now()])
    await expect(times.getByText(state, { exact: true })).toBeVisible()
  // No change of a rule is planned ahead.
  await expect(times.getByText(m.desk_times_next(), { exact: true })).toHaveCount(0)
  await page.getByRole('heading', { level: 1 }).focus()
  for (
    let press = 0;
    press < 40 && !(await line.first().evaluate((one) => one === document.activeElement));
    press++
  )
    await page.keyboard.press('j')
  await expect(line.first()).toBeFocused()
  await expectAccessible(page, 'the rules over time')
  // The table behind it has who changed it, and why.
  await expect(page.getByRole('table', { name: m.desk_policies_changes() })).toContainText(
    'Decided by the board',
  )
  await choose(m.desk_policies_views_nobody())
})

for (const look of looks)
  test(`the rates of VAT that change are drawn in ${look.colorScheme} at ${look.width} pixels`, async ({
    page,
  }) => {
    const { colorScheme, viewport } = seenAs(look)
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await signIn(page, 'billing@demo.test')
    await page.goto(`${deskHome}/vat-rates`)
    const times = page.getByRole('region', { name: m.desk_vat_times() })
    const romania = times.getByRole('listitem').filter({ hasText: /^Romania/ })
    await expect(romania.getByRole('listitem')).toHaveText([
      /^19.*until Jul 31, 2025$/,
      /^21.*from Aug 1, 2025$/,
    ])
    await expectAccessible(page, 'the rates that change')
  })
