import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { lastLetter } from './letters.ts'
import { looks, seenAs } from './looks.ts'
import { dayInWords } from './money.ts'
import { signInAs } from './newcomer.ts'
import { payer } from './payer.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('billing plans a dearer plan for a panel, whose owner reads when and at which price', async ({
      page,
      baseURL,
    }) => {
      const email = await payer(page)
      const portal = await api(page)
      const [project] = await portal.list('projects')
      const to = { project: { type: 'projects', id: project?.id ?? '' } }
      const domain = `shop-${Date.now()}.example`
      // Its content fits every plan, whatever the number of the panel is.
      await portal.create('panels', { name: 'shop', plan_code: 'mail-24', domain }, to)
      await expect(async () => {
        const [panel] = await portal.list('panels')
        expect(['active', 'degraded']).toContain(panel?.attributes.status)
      }).toPass()

      await signIn(page, 'billing@demo.test')
      await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
      await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
      const open = async (verb: string, more: string) => {
        await page.getByRole('button', { name: more }).click()
        await page.getByRole('menuitem', { name: verb }).click()
      }
      await open(m.desk_assign(), m.desk_panel_more({ name: 'shop' }))
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(m.desk_assign_plan()).selectOption('Web 3')
      await expect(dialog).toContainText('a month without VAT, instead of')
      const from = dialog.getByRole('textbox', { name: m.desk_list_from() })
      await expect(from).not.toHaveValue('')
      const day = dayInWords(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10))
      await expect(dialog).toContainText(m.desk_assign_earliest({ day }))
      await expectAccessible(page, 'the plan of a panel')
      await confirmVerb(dialog, m.desk_assign_verb(), 'The shop outgrew its plan')
      const letter = await lastLetter(page.request, email, /plan of a panel/)
      expect(letter.text).toContain('The shop outgrew its plan')
      expect(letter.text).toContain('has plan Web 3, at $')
      const row = page.getByRole('row').filter({ hasText: 'shop' })
      await expect(row).toContainText(m.plan_planned({ day, plan: 'Web 3' }))

      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.reload()
      await open(
        inRomanian(m.desk_assign),
        inRomanian(() => m.desk_panel_more({ name: 'shop' })),
      )
      await dialog.getByLabel(inRomanian(m.desk_assign_plan)).selectOption('Web 3')
      await expect(dialog).toContainText('Planificat acum: web-3 din')
      await expectRomanian(page, 'the plan of a panel')
      await page.keyboard.press('Escape')
      await page.context().addCookies([{ name: 'lang', value: 'en', url: baseURL ?? '' }])

      // As on the day, when the panel is suspended.
      await inDatabase(
        `update plan_assignments set problem = 'plan_of_suspended', problem_at = now()
         where ended_at is null and client_id = (select id from clients where email = $1)`,
        email,
      )
      await page.goto(deskHome)
      const needs = page.getByRole('region', { name: m.desk_needs_title() })
      await needs.getByRole('link', { name: /still without/ }).click()
      await expect(page).toHaveURL(/state=plan/)
      await page.getByRole('row').filter({ hasText: domain }).getByRole('link').click()
      await expect(row).toContainText(m.desk_planned_suspended())
      await expectAccessible(page, 'a client whose panel waits for a plan')

      await signInAs(page, email)
      await page.goto('/')
      await page.getByRole('link', { name: 'shop', exact: true }).click()
      const note = page.getByText(m.plan_planned({ day, plan: 'Web 3' }))
      await expect(note).toContainText(m.plan_planned_waits())
      await expectAccessible(page, 'a panel with a planned plan')
    })
  })
