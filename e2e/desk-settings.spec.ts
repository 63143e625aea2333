import type { Locator } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { withOwnPortal } from './own-portal.ts'
import { refusal } from './refusal.ts'
import { expectRomanian } from './romanian.ts'

/** How much wider a field is than the choice that it shows; below zero, the choice is cut. */
const roomOfChoice = (field: Locator) =>
  field.evaluate((select: HTMLSelectElement) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select)
    const drawn = new OffscreenCanvas(1, 1).getContext('2d')
    if (!drawn) throw new Error('There is no canvas.')
    drawn.font = font
    const { width } = drawn.measureText(select.selectedOptions[0]?.text ?? '')
    return select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - width
  })

// The settings are one for everybody, and the server sets one of them.
const test = withOwnPortal({ MAIL_AUTHSERV_ID: 'mx.server.example' })

test('an administrator enters the mail server, is told what is wrong, and removes it', async ({
  page,
  complaints,
}) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_settings_title() }).click()
  const mail = page.getByRole('region', { name: m.desk_settings_mail(), exact: true })
  await expect(mail.getByLabel(m.desk_settings_mail_authserv_id())).toBeDisabled()
  const server = mail.getByRole('group', { name: m.desk_settings_smtp_url() })
  const host = server.getByRole('textbox', { name: m.desk_settings_server_name(), exact: true })
  await server.getByRole('combobox').selectOption(m.desk_settings_starttls())
  expect(await roomOfChoice(server.getByRole('combobox'))).toBeGreaterThanOrEqual(0)
  await server.getByLabel(m.desk_settings_user()).fill('me@acme.example')
  await server.getByLabel(m.password()).fill('p/w@1')
  await host.fill('127.0.0.1')
  await server.getByLabel(m.desk_settings_port()).fill('2525')
  await mail.getByLabel(m.desk_settings_mail_from()).fill('Acme <mail@acme.example>')
  await expect(mail.getByLabel(m.desk_verb_reason())).toHaveValue(m.desk_verb_reason_first())
  const save = mail.getByRole('button', { name: m.save() })
  await save.click()
  await expect(mail.getByText(refusal('setting_mail_host_private', { host: '127.0.0.1' }))).toBeVisible()
  complaints.splice(0)
  // The mail server of this machine is known by its name.
  await server.getByLabel(m.desk_settings_port()).fill('')
  await host.fill('localhost')
  await expect(server.getByLabel(m.desk_settings_port())).toHaveValue('25')
  await expect(server.getByRole('combobox')).toHaveValue('smtp')
  // A whole address is taken apart.
  await host.fill('smtps://other%40acme.example:secret@mail.acme.example:465')
  await expect(host).toHaveValue('mail.acme.example')
  await expect(server.getByLabel(m.desk_settings_user())).toHaveValue('other@acme.example')
  for (const field of [host, server.getByLabel(m.desk_settings_port())]) await field.fill('')
  for (const name of [m.desk_settings_user(), m.password()]) await server.getByLabel(name).fill('')
  await save.click()
  await expect(page.getByText(m.desk_settings_saved())).toBeVisible()
  await mail.getByRole('button', { name: m.desk_settings_clear() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_verb_reason()).fill('Another server')
  await dialog.getByRole('button', { name: m.desk_settings_clear() }).click()
  await expect(mail.getByLabel(m.desk_settings_mail_from())).toHaveValue('')
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the settings are accessible, in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'admin@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/settings`)
      await expect(page.getByRole('region', { name: 'E-mail', exact: true })).toContainText(
        'MAIL_AUTHSERV_ID',
      )
      await expectAccessible(page, 'settings')
      await expectRomanian(page, 'settings')
    })
  })
