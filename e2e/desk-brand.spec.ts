import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { withOwnPortal } from './own-portal.ts'
import { expectRomanian } from './romanian.ts'

// Everybody sees the brand.
const test = withOwnPortal()

const wide = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

test('an administrator gives the portal a name, a colour and a logo, which visitors see at once', async ({
  page,
  browser,
  baseURL,
  complaints,
}) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_brand_title() }).click()
  await page.getByLabel(m.desk_brand_name(), { exact: true }).fill('Nimbus')
  await page.getByLabel(m.desk_brand_accent(), { exact: true }).fill('#ffcc00')
  await expect(page.getByText(m.desk_brand_contrast_low({ ratio: '1.51', least: '4.50' }))).toBeVisible()
  await page.getByLabel(m.desk_brand_accent(), { exact: true }).fill('#8a1c1c')
  await page.getByLabel(m.desk_brand_legal_en(), { exact: true }).fill('Nimbus SRL, Cluj')
  await expect(page.getByText(m.desk_brand_dark())).toBeVisible()
  await expectAccessible(page, 'a brand with its sample')
  await page.getByLabel(m.desk_verb_reason()).fill('The new name')
  await page.getByRole('button', { name: m.save(), exact: true }).click()
  await expect(page.getByText(m.desk_brand_saved())).toBeVisible()
  await page.getByRole('button', { name: m.desk_brand_logo_set() }).click()
  const dialog = page.getByRole('dialog')
  const file = dialog.getByLabel(m.desk_brand_file())
  await file.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(wide) })
  await dialog.getByLabel(m.desk_verb_reason()).fill('The new logo')
  await dialog.getByRole('button', { name: m.desk_brand_logo_verb() }).click()
  await expect(dialog.getByRole('alert')).toContainText('SVG')
  complaints.splice(0)
  await file.setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 60 } }),
  })
  await dialog.getByRole('button', { name: m.desk_brand_logo_verb() }).click()
  await expect(dialog).toHaveCount(0)

  // Before any script of the page, and with all of them.
  const bare = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })
  const visitor = await bare.newPage()
  await visitor.goto('/login')
  await expect(visitor).toHaveTitle('Nimbus')
  await expect(visitor.getByRole('heading', { name: 'Welcome to Nimbus' })).toBeVisible()
  await expect(visitor.getByText('Nimbus SRL, Cluj')).toBeVisible()
  await bare.close()
  await page.context().clearCookies()
  await page.goto('/login')
  await expect(page.getByRole('link', { name: 'Nimbus', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: m.login_email() })).toHaveCSS(
    'background-color',
    'rgb(138, 28, 28)',
  )
  await expect(page).toHaveTitle(/· Nimbus$/)
  await expect(page.getByText(/Portico/)).toHaveCount(0)
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the brand is accessible, in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'admin@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/brand`)
      await expect(page.getByRole('button', { name: 'Alege o siglă' })).toBeVisible()
      await expectAccessible(page, 'brand')
      await expectRomanian(page, 'brand')
    })
  })
