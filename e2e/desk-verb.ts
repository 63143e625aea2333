import { expect, type Locator } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'

/** Gives the reason in the dialog of a verb of the desk, and presses the verb, which closes the dialog. */
export async function confirmVerb(dialog: Locator, verb: string | RegExp, reason: string): Promise<void> {
  await dialog.getByLabel(m.desk_verb_reason()).fill(reason)
  await dialog.getByRole('button', { name: verb, exact: true }).click()
  await expect(dialog).toHaveCount(0)
}
