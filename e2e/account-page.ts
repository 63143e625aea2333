import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'

/** A section of the account page. */
export const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Turns to a section of the account page: by the list beside it, or by the choice above it on a narrow screen. */
export async function turnTo(page: Page, name: string): Promise<void> {
  const list = page.getByRole('navigation', { name: m.account_sections() })
  const isNarrow = (page.viewportSize()?.width ?? 0) <= 900
  if (isNarrow) await list.getByRole('combobox').selectOption(name)
  else await list.getByRole('link', { name, exact: true }).click()
  await section(page, name).waitFor()
}
