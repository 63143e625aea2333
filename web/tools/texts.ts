import { compile } from '@inlang/paraglide-js'

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
}

if (import.meta.main) {
  await compileTexts()
  // Timers of the compiler would keep the process for half a minute more.
  process.exit()
}
