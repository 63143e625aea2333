import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { minifySync } from 'vite'
import type * as Prerender from '../src/prerender.tsx'
import { chooseTheme, holdPresses } from './boot.ts'
import { filesOf, type Manifest } from './manifest.ts'
import { pricesEntry } from './prices.ts'

const web = `${import.meta.dirname}/..`
const entry = 'src/main.tsx'

const languages = ['en', 'ro'] as const

/** The layout of the pages about signing in. */
const layout = 'src/components/layout/plain-layout.tsx'

/**
 * The pages to prerender, because people arrive at them with an empty cache, and the sources of their layouts
 * and screens.
 */
const prerendered = {
  '/login': [layout, 'src/screens/login/login.tsx'],
  '/register': [layout, 'src/screens/registration/register.tsx'],
  '/create-account': [layout, 'src/screens/registration/create-account.tsx'],
} as const

/** The script of every page. */
const script = minifySync('boot.js', `(${chooseTheme.toString()})();(${holdPresses.toString()})()`, {
  compress: true,
  mangle: true,
}).code.trim()

const sha256 = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

type Page = { language: string; fonts: string; head: string; body: string; attributes?: string }

function documentOf(template: string, { language, fonts, head, body, attributes = '' }: Page): string {
  const text = template
    .replace(/<script type="module"[^>]*><\/script>/, '')
    .replace('lang="en"', `lang="${language}"`)
    .replace('<!--head-->', () => `<script>${script}</script>${fonts}${head}`)
    .replace('<div id="root"><!--root-->', () => `<div id="root"${attributes}>${body}`)
  return text.replace(/\n\s*/g, '')
}

/** The text font, preloaded so that it does not wait for the styles that name it. */
function fontTags(manifest: Manifest, language: string, base = '/'): string {
  const names = language === 'ro' ? ['inter-latin', 'inter-romanian'] : ['inter-latin']
  return names
    .map((name) => {
      const file = manifest[`src/ui/fonts/${name}.woff2`]?.file
      if (!file) throw new Error(`The font ${name} is not in the manifest.`)
      return `<link rel="preload" as="font" type="font/woff2" href="${base}${file}" crossorigin>`
    })
    .join('')
}

const moduleTags = (files: readonly string[]) => {
  const [main, ...others] = files.filter((file) => file.endsWith('.js'))
  const preloads = others.map((file) => `<link rel="modulepreload" href="${file}">`).join('')
  return `<script type="module" src="${main}"></script>${preloads}`
}

function shellHead(manifest: Manifest, source: string, base = ''): string {
  const files = filesOf(manifest, source).map((file) => base + file)
  const styles = files
    .filter((file) => file.endsWith('.css'))
    .map((file) => `<link rel="stylesheet" href="${file}">`)
  return styles.join('') + moduleTags(files)
}

/** Inlines the styles; the disabled links mark them as loaded for the chunk loader. */
function inlinedHead(dist: string, manifest: Manifest, sources: readonly string[]): string {
  const files = [...new Set(sources.flatMap((source) => filesOf(manifest, source)))]
  const styles = files.filter((file) => file.endsWith('.css'))
  const content = styles.map((file) => fs.readFileSync(dist + file, 'utf8').trim()).join('')
  const marks = styles.map((file) => `<link rel="stylesheet" href="${file}" disabled>`).join('')
  return `<style>${content}</style>${marks}${moduleTags(files)}`
}

/** Writes every document, the table of addresses to documents, and the hashes of their inline scripts. */
export async function writeDocuments(dist: string, manifest: Manifest, ofPrices: Manifest): Promise<void> {
  // The router is the browser's (see vite.config.ts) and looks for the global object under this name only.
  Object.assign(globalThis, { self: globalThis })
  // Vite has just built it from that source.
  const prerender = (await import(`${web}/.cache/prerender/prerender.mjs`)) as typeof Prerender
  const template = fs.readFileSync(`${web}/index.html`, 'utf8')
  const pages: Record<string, Record<string, string>> = {}
  const write = (path: string, name: string, page: Page) => {
    const file = `${name}.${page.language}.html`
    fs.writeFileSync(`${dist}/${file}`, documentOf(template, page))
    pages[path] = { ...pages[path], [page.language]: file }
  }
  for (const language of languages) {
    const fonts = fontTags(manifest, language)
    for (const [path, sources] of Object.entries(prerendered)) {
      const body = await prerender.renderPage(path, language)
      const head = inlinedHead(dist, manifest, [entry, ...sources])
      write(path, path.slice(1), { language, fonts, head, body, attributes: ` data-rendered="${path}"` })
    }
    const prices = {
      head: inlinedHead(dist, ofPrices, [pricesEntry]),
      body: await prerender.renderPrices(language),
    }
    write('/prices', 'prices', { language, fonts, ...prices, attributes: ' data-rendered="/prices"' })
    write('*', 'index', {
      language,
      fonts,
      head: shellHead(manifest, entry),
      body: prerender.renderSkeleton(),
    })
  }
  fs.copyFileSync(`${dist}/index.en.html`, `${dist}/index.html`)
  fs.writeFileSync(`${dist}/pages.json`, JSON.stringify(pages))
  fs.writeFileSync(`${dist}/csp.json`, JSON.stringify({ scripts: [sha256(script)] }))
}

/** Writes the documents of the desk, which are the same at each of its addresses, and the list of them. */
export function writeDesk(folder: string, manifest: Manifest, source: string): void {
  const template = fs.readFileSync(`${web}/desk/index.html`, 'utf8')
  const names = languages.map((language) => {
    const name = `index.${language}.html`
    const page = {
      language,
      fonts: fontTags(manifest, language, '/desk/'),
      head: shellHead(manifest, source, '/desk'),
      body: '',
    }
    fs.writeFileSync(`${folder}/${name}`, documentOf(template, page))
    return [language, name]
  })
  fs.writeFileSync(`${folder}/pages.json`, JSON.stringify({ '*': Object.fromEntries(names) }))
}
