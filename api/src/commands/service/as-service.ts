import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { settingsOf } from './unit-settings.ts'

const root = path.join(import.meta.dirname, '../../../..')
const ofPortal = /^node (?=api\/src\/commands\/|engines\/check\/)/

/** The commands of the portal by the names that `npm run` has for them, with their file and first arguments. */
function commands(): Map<string, string[]> {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')))
  const all = Object.entries(scripts).filter(([, script]) => ofPortal.test(script))
  return new Map(all.map(([name, script]) => [name, script.replace(ofPortal, '').split(' ')]))
}

/** A file that systemd may be told to do without. */
function read(file: string): string {
  const name = file.replace(/^-/, '')
  return file.startsWith('-') && !fs.existsSync(name) ? '' : fs.readFileSync(name, 'utf8')
}

/** Runs a command with the settings of portico.service, as its account, and returns the exit code. */
function run([name = '', ...given]: string[]): number {
  const command = commands().get(name)
  if (command === undefined) {
    console.error(
      `portico-command NAME [ARGUMENTS], with a name of npm run:\n  ${[...commands().keys()].join(' ')}`,
    )
    return 1
  }
  const unit = execFileSync('systemctl', ['cat', 'portico.service'], { encoding: 'utf8' })
  const wrong: string[] = []
  const { user, variables } = settingsOf(unit, read, wrong)
  if (wrong.length > 0) {
    console.error(wrong.join('\n'))
    return 1
  }
  const { PATH, TERM, LANG } = process.env
  // The command gets the signal too, and ends in its own way.
  process.on('SIGINT', () => undefined)
  const args = ['-u', user, '--', process.execPath, ...command, ...given]
  const env = { PATH, TERM, LANG, ...variables }
  const { status, error } = spawnSync('runuser', args, { cwd: root, env, stdio: 'inherit' })
  if (error) throw error
  return status ?? 1
}

process.exitCode = run(process.argv.slice(2))
