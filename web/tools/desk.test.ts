import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { build, type InlineConfig, type Plugin } from 'vite'
import { expect, test } from 'vitest'
import { deskBuild } from './desk.ts'
import { compileTexts } from './texts.ts'

const web = path.resolve(import.meta.dirname, '..')
const ofDesk = /\/src\/desk\/|\/messages\/desk(?:_\w+)?\.js$/

/** The portal as it would be without the desk: no source of it is there, and none of its words. */
const withoutDesk: Plugin = {
  name: 'without-desk',
  enforce: 'pre',
  load(id) {
    if (ofDesk.test(id)) throw new Error(`The portal loads ${id}, which is of the desk.`)
    if (!id.endsWith('/texts/compiled/all.js')) return null
    return fs.readFileSync(id, 'utf8').replace(/^export \{ default as desk(?:_\w+)? \}.*\n/gm, '')
  },
}

/** The output of a build; nothing is written. */
async function outputOf(config: InlineConfig) {
  const [made] = [
    await build({ root: web, logLevel: 'silent', ...config, build: { ...config.build, write: false } }),
  ].flat()
  if (!made || !('output' in made)) throw new Error('Nothing was built.')
  return made.output
}

/** The hash of every file of a build, by its name. */
async function filesOf(config: InlineConfig): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await outputOf(config)).map((file) => {
      const content = file.type === 'chunk' ? file.code : file.source
      return [file.fileName, createHash('sha256').update(content).digest('hex')]
    }),
  )
}

test('the files of the portal are the same with and without the desk, and the desk has none of its pages', async () => {
  compileTexts()
  const portal = await filesOf({})
  expect(Object.keys(portal).length).toBeGreaterThan(100)
  expect(await filesOf({ plugins: [withoutDesk] })).toEqual(portal)
  const loaded = (await outputOf(deskBuild)).flatMap((file) =>
    file.type === 'chunk' ? Object.keys(file.modules) : [],
  )
  expect(loaded.filter((id) => id.includes('/src/desk/')).length).toBeGreaterThan(20)
  expect(loaded.filter((id) => id.includes('/src/screens/'))).toEqual([])
})
