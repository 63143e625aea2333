import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { databaseIn } from './database.ts'
import { expect } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { withOwnPortal } from './own-portal.ts'
import { refusal } from './refusal.ts'

const test = withOwnPortal()

const carriedIn = `update plan_engines set regions = $2
  where plan_id = (select id from plans where code = $1)`

const dialogOf = (page: Page) => page.getByRole('dialog', { name: m.panel_add() })
const regionsIn = (page: Page) => dialogOf(page).getByRole('group', { name: m.column_region() })

async function openDialog(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: m.panel_add() }).first().click()
  await expect(dialogOf(page).getByRole('radio', { name: /^Start/ })).toBeChecked()
}

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('a plan that is carried in several regions asks for one, and the panel is made there', async ({
      page,
      portal,
    }) => {
      const change = databaseIn(portal.folder)
      await change(carriedIn, 'start', ['eu-central', 'eu-west'])
      await change(carriedIn, 'web-3', ['eu-north'])
      await newcomer(page)
      await openDialog(page)
      const region = regionsIn(page).getByRole('radio')
      await expect(region).toHaveCount(2)
      await expect(regionsIn(page).getByRole('radio', { name: 'eu-central' })).toBeChecked()
      await regionsIn(page).getByRole('radio', { name: 'eu-central' }).press('ArrowDown')
      await expect(regionsIn(page).getByRole('radio', { name: 'eu-west' })).toBeChecked()
      await expectAccessible(page, 'Add panel with regions')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(look.width)

      // One region leaves nothing to choose, and the choice is kept for the other plan.
      await dialogOf(page)
        .getByRole('radio', { name: /^Web 3/ })
        .click()
      await expect(regionsIn(page)).toHaveCount(0)
      await dialogOf(page)
        .getByRole('radio', { name: /^Start/ })
        .click()
      await expect(regionsIn(page).getByRole('radio', { name: 'eu-west' })).toBeChecked()

      const name = `west-${look.width}`
      await dialogOf(page).getByLabel(m.panel_name()).fill(name)
      await dialogOf(page).getByRole('button', { name: m.panel_add() }).click()
      const card = page.getByRole('article', { name })
      await expect(card.getByText(/^(Active|Degraded)$/)).toBeVisible({ timeout: 60_000 })
      const [panel] = await (await api(page)).list('panels')
      expect(panel?.attributes).toMatchObject({ name, plan_code: 'start', region: 'eu-west' })
    })
  })

test('a region that is no longer offered is refused at the regions, which are then those of today', async ({
  page,
  portal,
}) => {
  const change = databaseIn(portal.folder)
  await change(carriedIn, 'start', ['eu-central', 'eu-west'])
  await newcomer(page)
  await openDialog(page)
  await regionsIn(page).getByText('eu-west').click()
  await change(carriedIn, 'start', ['eu-central', 'eu-north'])
  await dialogOf(page).getByLabel(m.panel_name()).fill('late')
  await dialogOf(page).getByRole('button', { name: m.panel_add() }).click()
  await expect(regionsIn(page).getByRole('alert')).toHaveText(refusal('region_not_offered'))
  await expect(regionsIn(page).getByRole('radio')).toHaveCount(2)
  await expect(regionsIn(page).getByRole('radio', { name: 'eu-west' })).toHaveCount(0)
  expect(await (await api(page)).list('panels')).toEqual([])
  await regionsIn(page).getByText('eu-north').click()
  await expect(regionsIn(page).getByRole('alert')).toHaveCount(0)
  await dialogOf(page).getByRole('button', { name: m.panel_add() }).click()
  await expect(page.getByRole('article', { name: 'late' })).toContainText('eu-north')
})

const announced = `do $$ begin
  update plan_prices x set valid = daterange(lower(x.valid), clock_today() + 40)
    from plans p where p.id = x.plan_id and p.code = 'start' and upper_inf(x.valid);
  insert into plan_prices (price_list_id, plan_id, valid, monthly)
    select price_list_id, plan_id, daterange(clock_today() + 40, null), monthly + 2
    from plan_prices where upper(valid) = clock_today() + 40;
end $$`

test('a price that is announced is read before a panel is added', async ({ page, portal }) => {
  await databaseIn(portal.folder)(announced)
  await newcomer(page)
  await openDialog(page)
  await expect(dialogOf(page).getByRole('radio', { name: /^Start \$8\.00 a month/ })).toHaveAccessibleName(
    /From \w+ \d+, \d+: \$10\.00 a month/,
  )
})
