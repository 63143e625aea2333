import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { confirmVerb } from './desk-verb.ts'
import { ana, expect, signIn } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { withOwnPortal } from './own-portal.ts'
import { refusal } from './refusal.ts'
import { expectRomanian } from './romanian.ts'

// A banner would be above the pages of every other spec.
const test = withOwnPortal()

const titles = { en: 'Maintenance on Sunday', ro: 'Mentenanță duminică' }

/** Writes an announcement at the desk as far as its button, which the returned function presses. */
async function write(page: Page, title: { en: string; ro: string }) {
  await page.getByRole('button', { name: m.desk_news_new(), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: m.desk_news_new() })
  await dialog.getByLabel(m.desk_news_title_en()).fill(title.en)
  await dialog.getByLabel(m.desk_news_title_ro()).fill(title.ro)
  await dialog.getByLabel(m.desk_news_body_en()).fill('Panels cannot be changed from 8 to 9.')
  await dialog.getByLabel(m.desk_news_body_ro()).fill('Panourile nu pot fi schimbate între 8 și 9.')
  await dialog.getByLabel(m.desk_verb_reason()).fill('A new kernel')
  const announce = () => dialog.getByRole('button', { name: m.desk_news_verb(), exact: true }).click()
  return { dialog, announce }
}

const banner = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Opens the start of a client; the server marks documents some seconds after an announcement has begun (0127). */
async function expectBanner(page: Page, email: string, name: string): Promise<void> {
  await signIn(page, email)
  await expect(async () => {
    await page.goto('/')
    await expect(banner(page, name)).toBeVisible({ timeout: 2_000 })
  }).toPass()
}

test('an administrator announces maintenance, and a client reads it and closes it for good', async ({
  page,
  complaints,
}) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_news_page() }).click()
  await expect(page.getByText(m.desk_news_none(), { exact: true })).toBeVisible()
  const { dialog, announce } = await write(page, titles)
  const until = dialog.getByRole('textbox', { name: m.desk_news_until() })
  await until.fill('2020-01-01 10:00')
  await announce()
  await expect(dialog.getByRole('alert')).toHaveText(refusal('announcement_end'))
  await expectAccessible(page, 'a new announcement')
  complaints.splice(0)
  await until.fill('')
  await announce()
  await expect(page.getByText(m.desk_news_done())).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: titles.en })
  await expect(row).toContainText(m.desk_news_open())
  await expect(row).toContainText(m.desk_news_all())

  await expectBanner(page, ana, titles.en)
  await expect(banner(page, titles.en)).toContainText('Panels cannot be changed from 8 to 9.')
  await expectAccessible(page, 'an announcement above the dashboard')
  await banner(page, titles.en).getByRole('button', { name: m.close() }).click()
  await expect(banner(page, titles.en)).toHaveCount(0)
  await Promise.all([page.waitForResponse(/announcements\/-actions\/current/), page.reload()])
  await expect(page.getByRole('heading', { level: 1, name: 'My Workspace' })).toBeVisible()
  await expect(banner(page, titles.en)).toHaveCount(0)
})

test('an announcement for a plan is read by its clients alone, until an administrator ends it', async ({
  page,
  browser,
  baseURL,
}) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/announcements`)
  const { dialog, announce } = await write(page, { en: 'Faster disks', ro: 'Discuri mai rapide' })
  await dialog.getByLabel(m.desk_news_audience()).selectOption(m.desk_news_plan())
  await dialog.getByLabel(m.desk_news_which_plan()).selectOption('web-3')
  await announce()
  const row = page.getByRole('row').filter({ hasText: 'Faster disks' })
  await expect(row).toContainText(`${m.desk_news_plan()}: web-3`)

  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const client = await context.newPage()
  const seenBy = async (email: string) => {
    // The first is for everybody, and both come by one answer.
    await expectBanner(client, email, titles.en)
    return banner(client, 'Faster disks').count()
  }
  expect(await seenBy('radu@demo.test')).toBe(1)
  expect(await seenBy('hans@demo.test')).toBe(0)

  await row.getByRole('button', { name: `${m.desk_news_end()}: Faster disks` }).click()
  const ending = page.getByRole('dialog', { name: m.desk_news_end_title() })
  await confirmVerb(ending, m.desk_news_end(), 'The disks are there')
  await expect(row.getByRole('button')).toHaveCount(0)
  expect(await seenBy('radu@demo.test')).toBe(0)
  await context.close()
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('announcements are accessible, at the desk and above a page, in Romanian too', async ({
      page,
      baseURL,
    }) => {
      await signIn(page, 'admin@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/announcements`)
      await expect(page.getByRole('row').filter({ hasText: titles.ro })).toBeVisible()
      await expectAccessible(page, 'announcements')
      await expectRomanian(page, 'announcements')
      await expectBanner(page, ana, titles.ro)
      await expectAccessible(page, 'the banner')
    })
  })
