import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readEnv } from '#config/env.ts'
import { plainBrand } from '#platform/brand/brand.ts'
import { fixedSettings } from '#platform/settings/settings.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { tokenSecret } from '#test/support/secret.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { brandDress } from './brand-dress.ts'

const built = (language: string) =>
  `<!doctype html><html lang="${language}" data-x><head><title>Portico</title><link rel="icon" href="/icon.svg" type="image/svg+xml"></head>` +
  '<body><a><svg width="28" height="28" data-logo="own"><rect></rect><path d="M1"></path></svg><span>Portico</span></a>' +
  '<svg><path d="M2"></path></svg><p data-legal="" class="x"></p></body></html>'

const brand = {
  ...plainBrand,
  name: `Acme $& "Sons"`,
  accent: '#0f5c4d',
  legal: { en: 'Acme <b>', ro: 'Acme SRL' },
  logo: { path: '/brand/logo-1.png', width: 96, height: 64 },
}

test('a document without a brand is sent as it was built', () => {
  expect(brandDress(plainBrand)).toBeUndefined()
  expect(brandDress({ ...plainBrand, letters: { en: 'x', ro: null } })).toBeUndefined()
})

test('a document has the name, the logo, the footer of its language and the colours, all escaped', () => {
  const english = brandDress(brand)?.(built('en')) ?? ''
  expect(english).toContain('<title>Acme $&amp; &quot;Sons&quot;</title>')
  expect(english).toContain('<span>Acme $&amp; &quot;Sons&quot;</span>')
  expect(english).toContain('<link rel="icon" href="/brand/logo-1.png">')
  expect(english).toContain(
    '<a><img data-logo="mark" src="/brand/logo-1.png" width="42" height="28" alt=""><span>',
  )
  expect(english).toContain('<svg><path d="M2"></path></svg>')
  expect(english).toContain('<p data-legal="" class="x">Acme &lt;b&gt;</p>')
  expect(english).toContain('--mantine-color-accent-filled:#0f5c4d')
  expect(english).not.toContain('Portico')
  const meta = /<meta name="portico-brand" content="([^"]*)">/.exec(english)?.[1] ?? ''
  const plain = meta.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
  expect(JSON.parse(plain.replaceAll('&amp;', '&'))).toEqual({
    name: brand.name,
    legal: brand.legal,
    logo: brand.logo,
  })
  expect(brandDress(brand)?.(built('ro'))).toContain('>Acme SRL</p>')
})

test('pages and the desk are dressed anew as soon as the brand has changed', async () => {
  const { folder: webDist } = temporaryFolder()
  for (const at of [webDist, path.join(webDist, 'desk')]) {
    fs.mkdirSync(at, { recursive: true })
    fs.writeFileSync(path.join(at, 'index.html'), built('en'))
    fs.writeFileSync(path.join(at, 'pages.json'), JSON.stringify({ '*': { en: 'index.html' } }))
  }
  const { pool } = await testDatabase()
  let worn = plainBrand
  const settings = { ...fixedSettings({ ...readEnv({ SEED: 'none' }), tokenSecret }), brand: () => worn }
  const { app } = await testApp(pool, { webDist, settings })
  const get = (url: string) => app.inject({ url, headers: { accept: 'text/html' } })
  const before = await get('/login')
  expect(before.body).toBe(built('en'))
  worn = brand
  for (const url of ['/login', '/desk', '/verify-email/1']) {
    const after = await get(url)
    expect(after.body).toContain('Acme $&amp;')
    expect(after.headers.etag).not.toBe(before.headers.etag)
  }
  worn = { ...plainBrand, hasNews: true }
  const mark = '<meta name="portico-note" content="news">'
  const isMarked = async (url: string) => (await get(url)).body.includes(mark)
  // Staff are told nothing that is for customers.
  expect([await isMarked('/login'), await isMarked('/verify-email/1'), await isMarked('/desk')]).toEqual([
    true,
    true,
    false,
  ])
})

test('in documents as they are built the name is a word of the brand alone', () => {
  const web = path.join(import.meta.dirname, '../../../../../web')
  for (const file of ['index.html', 'prices.html', 'desk/index.html']) {
    const text = fs.readFileSync(path.join(web, file), 'utf8')
    expect(text.match(/portico/gi)?.filter((word) => word !== 'Portico') ?? [], file).toEqual([])
    expect(text.match(/Portico/g)?.length, file).toBe(1)
  }
})
