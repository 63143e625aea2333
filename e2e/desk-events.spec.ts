import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

const openLumen = async (page: Page) => {
  await page.goto(`${deskHome}/clients?search=Lumen`)
  await page.getByRole('link', { name: 'Lumen Studio SRL' }).click()
}

test('an administrator sees all events of a client on one line, the newest first, and older ones on demand', async ({
  page,
}) => {
  await signIn(page, 'admin@demo.test')
  await openLumen(page)
  const line = page.getByRole('list', { name: m.desk_events_title() })
  const events = line.getByRole('listitem')
  await expect(line.getByRole('link', { name: m.desk_event_payment(), exact: true }).first()).toBeVisible()
  const shown = await events.count()
  const moments = async () =>
    (
      await line.getByRole('time').evaluateAll((all) => all.map((one) => one.getAttribute('datetime') ?? ''))
    ).map((moment) => Date.parse(moment))
  const before = await moments()
  expect(before).toEqual(before.toSorted((a, b) => b - a))
  await page.getByRole('button', { name: m.desk_events_more() }).click()
  await expect.poll(() => events.count()).toBeGreaterThan(shown)
  const after = await moments()
  expect(after).toEqual(after.toSorted((a, b) => b - a))
  expect(after.slice(0, before.length)).toEqual(before)
  await line.getByRole('link', { name: m.desk_event_ticket(), exact: true }).first().click()
  await expect(page).toHaveURL(/\/clients\/\d+\/tickets$/)
})

test('the acts of staff are on the line of those who read the log alone', async ({ page }) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/clients?search=Lumen`)
  const name = page.getByRole('link', { name: 'Lumen Studio SRL' })
  await name.click()
  const address = page.url()
  await page.goto(`${address}/notes`)
  const body = `Written by a test ${crypto.randomUUID()}`
  await page.getByLabel(m.desk_note(), { exact: true }).fill(body)
  await page.getByRole('button', { name: m.desk_note_add(), exact: true }).click()
  await expect(page.getByRole('table').getByText(body)).toBeVisible()
  await page.goto(address)
  const line = page.getByRole('list', { name: m.desk_events_title() })
  await expect(line.getByText(body)).toBeVisible()
  await expect(line.getByRole('link', { name: m.desk_event_staff(), exact: true }).first()).toBeVisible()
  await signIn(page, 'support@demo.test')
  await page.goto(address)
  await expect(line.getByText(body)).toBeVisible()
  await expect(line.getByRole('link', { name: m.desk_event_staff(), exact: true })).toHaveCount(0)
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the line of a client is accessible, in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'admin@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await openLumen(page)
      await expect(page.getByRole('list', { name: inRomanian(m.desk_events_title) })).toBeVisible()
      await expectAccessible(page, 'the events of a client')
      await expectRomanian(page, 'the events of a client')
      await page.goto(`${deskHome}/engines`)
      await expect(page.getByRole('table', { name: inRomanian(m.desk_engines_title) })).toBeVisible()
      await expectAccessible(page, 'engines')
      await expectRomanian(page, 'engines')
    })
  })
