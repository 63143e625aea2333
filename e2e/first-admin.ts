import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { codeOf } from './authenticator.ts'
import { expect } from './fixtures.ts'

export const adminPassword = 'seven green bicycles'

/** The link for the first administrator in what a start printed. */
export const setupLinkIn = (greeting: string): string => {
  const [link] = /http\S+\/setup#\S+/.exec(greeting) ?? []
  if (link === undefined) throw new Error(`The start printed no link.\n${greeting}`)
  return link
}

/** Creates the account of the first administrator. */
export async function fillAdminAccount(page: Page): Promise<void> {
  await page.getByLabel(m.desk_begin_name()).fill('Ana')
  await page.getByLabel(m.email()).fill('ana@acme.test')
  await page.getByLabel(m.new_password(), { exact: true }).fill(adminPassword)
  await page.getByLabel(m.retype_password()).fill(adminPassword)
  await page.getByRole('button', { name: m.desk_begin_create() }).click()
}

/** Enters the code of an authenticator app that got the shown secret. */
export async function enableSecondFactor(page: Page): Promise<void> {
  const secret = await page.getByText(/^[A-Z2-7]{4}(?: [A-Z2-7]{1,4})+$/).textContent()
  await page.getByLabel(m.code_label()).fill(codeOf(secret?.replaceAll(' ', '') ?? ''))
  await page.getByRole('button', { name: m.two_factor_turn_on() }).click()
  await expect(page.getByRole('heading', { name: m.recovery_codes_title() })).toBeVisible()
}
