import fs from 'node:fs'
import { compile } from '@inlang/paraglide-js'
import { textParity } from './text-parity.ts'

const web = `${import.meta.dirname}/..`

/** Turns texts/{en,ro}.json into typed functions. The language is chosen by `stores/language.ts`, so no strategy but a variable. */
export async function compileTexts(): Promise<void> {
  await compile({
    project: `${web}/project.inlang`,
    outdir: `${web}/src/texts/compiled`,
    strategy: ['globalVariable', 'baseLocale'],
    emitGitIgnore: false,
    emitPrettierIgnore: false,
    emitReadme: false,
  })
  // The compiler leaves things of its own beside the settings, and the stamp of the build would take them for a change:
  // the first start after an install built everything a second time.
  for (const name of fs.readdirSync(`${web}/project.inlang`)) {
    if (name !== 'settings.json') fs.rmSync(`${web}/project.inlang/${name}`, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  await compileTexts()
  const parity = textParity()
  for (const [fault, keys] of Object.entries(parity)) console.log(`${fault}: ${keys.join(' ') || 'none'}`)
  // Timers of the compiler would keep the process for half a minute more. What is the same in both may be a name.
  process.exit(parity.missing.length + parity.unused.length === 0 ? 0 : 1)
}
