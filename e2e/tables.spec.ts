import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'

test('a menu hides columns of a table and shows them again, and the browser keeps the choice', async ({
  page,
}) => {
  await signIn(page)
  await page.goto(href('billing-log'))
  const heading = page.getByRole('columnheader', { name: m.column_type() })
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await expect(heading).toBeVisible()
  const button = page.getByRole('button', { name: m.columns() })
  await button.click()
  const item = page.getByRole('menuitemcheckbox', { name: m.column_type() })
  await expect(item).toBeChecked()
  await expectAccessible(page, 'the menu of columns')
  await item.click()
  await expect(item).not.toBeChecked()
  await expect(heading).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await page.reload()
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await expect(heading).toBeHidden()
  await button.click()
  await item.click()
  await expect(heading).toBeVisible()
})
