import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn } from './fixtures.ts'
import { lastLetter, linkOf } from './letters.ts'
import { looks, seenAs } from './looks.ts'
import { withOwnPortal } from './own-portal.ts'

// Everybody sees what is announced, and gets its letter.
const test = withOwnPortal()

test('an administrator announces by letter, knows to how many before, and each gets it in their language', async ({
  page,
}) => {
  const title = `Maintenance ${crypto.randomUUID().slice(0, 8)}`
  await signIn(page, 'admin@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_news_page() }).click()
  await page.getByRole('button', { name: m.desk_news_new() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_news_title_en()).fill(title)
  await dialog.getByLabel(m.desk_news_title_ro()).fill(`${title} RO`)
  await dialog.getByLabel(m.desk_news_body_en()).fill('Servers restart at 2.')
  await dialog.getByLabel(m.desk_news_body_ro()).fill('Serverele repornesc la 2.')
  await expect(dialog.getByText(/^It goes to/)).toHaveCount(0)
  await dialog.getByLabel(m.desk_news_by_letter()).check()
  await expect(dialog.getByText(/^It goes to \d+ customers\.$/)).toBeVisible()
  await dialog.getByLabel(m.desk_verb_reason()).fill('Servers of an engine restart')
  await expectAccessible(page, 'announcement by letter')
  await dialog.getByRole('button', { name: m.desk_news_verb(), exact: true }).click()
  await expect(dialog).toHaveCount(0)
  const row = page.getByRole('row', { name: title })
  await expect(row.getByText(/^\d+ letters$/)).toBeVisible()
  await expect(row.getByRole('button', { name: `${m.desk_news_send()}: ${title}` })).toHaveCount(0)

  const english = await lastLetter(page.request, 'ana@demo.test', new RegExp(`${title}$`))
  expect(english.text).toContain('Servers restart at 2.')
  const romanian = await lastLetter(page.request, 'radu@demo.test', new RegExp(`${title} RO$`))
  expect(romanian.text).toContain('Serverele repornesc la 2.')
  await row.getByRole('button', { name: `${m.desk_news_end()}: ${title}` }).click()
  await confirmVerb(dialog, m.desk_news_end(), 'A test is over')
})

test('an announcement that was not sent by letter is sent later, once', async ({ page }) => {
  await signIn(page, 'admin@demo.test')
  const title = `Later ${crypto.randomUUID().slice(0, 8)}`
  await page.goto(`${deskHome}/announcements`)
  await page.getByRole('button', { name: m.desk_news_new() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_news_title_en()).fill(title)
  await dialog.getByLabel(m.desk_news_title_ro()).fill(title)
  await dialog.getByLabel(m.desk_news_audience()).selectOption('plan')
  await dialog.getByLabel(m.desk_news_which_plan()).selectOption({ index: 1 })
  await confirmVerb(dialog, m.desk_news_verb(), 'A plan changes')
  const row = page.getByRole('row', { name: title })
  await expect(row).toContainText(m.desk_news_no_letters())
  await row.getByRole('button', { name: `${m.desk_news_send()}: ${title}` }).click()
  await expect(dialog.getByText(/^It goes to \d+ customers?\.$/)).toBeVisible()
  await dialog.getByLabel(m.desk_verb_reason()).fill('Customers ask for it')
  await expectAccessible(page, 'letters of an announcement')
  await dialog.getByRole('button', { name: m.desk_news_send(), exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(row.getByText(/^\d+ letters?$/)).toBeVisible()
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('a customer stops news by the link in a letter, and finds it turned off in their account', async ({
      page,
      baseURL,
    }) => {
      await signIn(page, 'admin@demo.test')
      const title = `Region ${crypto.randomUUID().slice(0, 8)}`
      await page.goto(`${deskHome}/announcements`)
      await page.getByRole('button', { name: m.desk_news_new() }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(m.desk_news_title_en()).fill(title)
      await dialog.getByLabel(m.desk_news_title_ro()).fill(title)
      await expect(dialog.getByLabel(m.desk_news_about_service())).not.toBeChecked()
      await dialog.getByLabel(m.desk_news_by_letter()).check()
      await dialog.getByLabel(m.desk_verb_reason()).fill('A region opens')
      await expectAccessible(page, 'an announcement of news')
      await dialog.getByRole('button', { name: m.desk_news_verb(), exact: true }).click()
      await expect(page.getByRole('row', { name: title })).toContainText(m.desk_news_news())

      const letter = await lastLetter(page.request, 'hans@demo.test', new RegExp(`${title}$`))
      await page.context().clearCookies()
      await page.context().addCookies([{ name: 'lang', value: 'en', url: baseURL ?? '' }])
      await page.goto(new URL(linkOf(letter)).pathname)
      await expect(page.getByRole('heading', { level: 1, name: m.unsubscribe_title() })).toBeVisible()
      await expectAccessible(page, 'the page of a link that stops news')
      await page.getByRole('button', { name: m.unsubscribe_verb() }).click()
      await expect(page.getByRole('heading', { level: 1, name: m.unsubscribe_done() })).toBeVisible()
      await expectAccessible(page, 'news that is stopped')

      await signIn(page, 'hans@demo.test')
      await page.getByRole('link', { name: m.unsubscribe_account() }).click()
      const news = page.getByRole('checkbox', { name: m.mail_newsletter() })
      await expect(news).not.toBeChecked()
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
      // `check` looks at the box in the moment of the click, and the page shows the choice with its next frame.
      await news.click()
      await expect(news).toBeChecked()
      expect((await saved).status()).toBe(200)
      await page.reload()
      await expect(news).toBeChecked()
    })
  })
