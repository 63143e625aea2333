import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { databaseIn } from './database.ts'
import { expect, openDashboard } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { withOwnPortal } from './own-portal.ts'

const test = withOwnPortal()

// Ioana is in debt, and her panels use up more every day.
const lacking = /^Afterwards the balance would last less than 3 days\. €\d+\.\d\d is missing: top up, /

const retire = `update plans set state = 'retired' where state = 'offered'`
const offerAgain = `update plans set state = 'offered' where code in ('start', 'web-3', 'cluster-4', 'mail-24')`

// The tests share the portal of a worker.
test.afterEach(({ portal }) => databaseIn(portal.folder)(offerAgain))

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('where no plan is offered, a refused panel says what is missing, and leads to its payment', async ({
      page,
      portal,
    }) => {
      await databaseIn(portal.folder)(retire)
      await openDashboard(page, 'ioana@demo.test')
      await page.getByRole('button', { name: m.panel_add() }).first().click()
      const dialog = page.getByRole('dialog', { name: m.panel_add() })
      await dialog.getByLabel(m.panel_name()).fill('too dear')
      await dialog.getByRole('button', { name: m.panel_add() }).click()
      await expect(dialog.getByRole('alert').getByRole('listitem')).toHaveText(lacking)
      await expectAccessible(page, 'a panel without a plan that the balance does not pay for')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(look.width)
      const pay = dialog.getByRole('link', { name: /^Top up €/ })
      const [amount] = /[\d.]+$/.exec((await pay.textContent()) ?? '') ?? []
      await pay.click()
      await expect(dialog).toHaveCount(0)
      await expect(page.getByRole('textbox', { name: m.payment_amount() })).toHaveValue(
        String(Number(amount)),
      )
    })
  })
