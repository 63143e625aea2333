import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('support ask for more than their limit, and an administrator reads it whole and approves', async ({
      page,
      complaints,
      baseURL,
    }) => {
      const email = await newcomer(page)
      const why = `Două zile fără poștă: ${email}`
      await signIn(page, 'support@demo.test')
      await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
      await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
      await page.getByRole('button', { name: m.desk_goodwill() }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(m.desk_amount()).fill('40')
      await dialog.getByLabel(m.desk_verb_reason()).fill(why)
      await dialog.getByRole('button', { name: m.desk_goodwill_verb(), exact: true }).click()
      await expect(dialog.getByRole('alert')).toContainText(/at most 10 /)
      complaints.splice(0)
      await expectAccessible(page, 'a limit')
      await dialog.getByRole('button', { name: m.desk_second_ask() }).click()
      await expect(dialog).toHaveCount(0)

      await signIn(page, 'admin@demo.test')
      await page.goto(deskHome)
      await page.getByRole('link', { name: /\d+ requests? to approve/ }).click()
      const row = page.getByRole('row').filter({ hasText: why })
      await expect(row).toContainText('$40.00')
      // Goodwill has no VAT.
      await expect(row).not.toContainText(m.desk_request_moves({ amount: '$40.00' }))
      await expectAccessible(page, 'requests')
      await row.getByRole('button', { name: m.desk_request_approve() }).click()
      await expect(dialog).toContainText(why)
      await dialog.getByLabel(m.desk_verb_reason()).fill('Am citit tichetul')
      await dialog.getByRole('button', { name: m.desk_request_approve_verb(), exact: true }).click()
      await expect(row).toHaveCount(0)
      await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
      await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
      await expect(page.getByRole('definition').filter({ hasText: '$40.00' }).first()).toBeVisible()
      await page.goto(`${deskHome}/requests?state=approved`)
      await expect(row).toContainText('Am citit tichetul')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.reload()
      await expect(row).toContainText(inRomanian(m.desk_request_approved))
      await expectRomanian(page, 'requests')
    })
  })

test('an administrator asks for another limit, and takes the request back', async ({ page }) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/staff`)
  const limits = page.getByRole('region', { name: m.desk_limits_title() })
  await limits.getByRole('button', { name: /Refund · Billing/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_limit_action()).fill('2000')
  await dialog.getByLabel(m.desk_verb_reason()).fill('A large client leaves')
  await expectAccessible(page, 'a limit to change')
  await dialog.getByRole('button', { name: m.desk_second_ask() }).click()
  await expect(dialog).toHaveCount(0)
  await page.goto(`${deskHome}/requests`)
  const row = page.getByRole('row').filter({ hasText: 'A large client leaves' })
  await expect(row).toContainText('2000')
  await row.getByRole('button', { name: m.desk_request_withdraw() }).click()
  await dialog.getByLabel(m.desk_verb_reason()).fill('They stay')
  await dialog.getByRole('button', { name: m.desk_request_withdraw_verb(), exact: true }).click()
  await expect(row).toHaveCount(0)
})
