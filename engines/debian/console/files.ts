import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'

// The files of the page, read once. Types are stripped here, so there is no build.

export type File = { readonly type: string; readonly body: string | Buffer; readonly policy?: string }

const folder = path.join(import.meta.dirname, '../page')
const xterm = path.join(path.dirname(new URL(import.meta.resolve('@xterm/xterm')).pathname), '..')
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')
const script = (name: string): File => ({
  type: 'text/javascript',
  // A browser finds the package at our own address.
  body: stripTypeScriptTypes(read(name)).replace("'@xterm/xterm'", "'/page/xterm.mjs'"),
})
const html = (name: string): File => ({ type: 'text/html; charset=utf-8', body: read(name) })

const strict = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
const frames = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** What every answer says. */
export const policy = strict + frames

// The terminal writes styles of its own, so only its page allows them.
const terminalPolicy = `${strict.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")}${frames}`

export const files: Readonly<Record<string, File>> = {
  '/': html('page.html'),
  '/terminal': { ...html('terminal.html'), policy: terminalPolicy },
  '/page/page.css': { type: 'text/css', body: read('page.css') },
  '/page/page.ts': script('page.ts'),
  '/page/zones.ts': script('zones.ts'),
  '/page/words.ts': script('words.ts'),
  '/page/dom.ts': script('dom.ts'),
  '/page/terminal.ts': script('terminal.ts'),
  '/page/xterm.mjs': { type: 'text/javascript', body: readFileSync(path.join(xterm, 'lib/xterm.mjs')) },
  '/page/xterm.css': { type: 'text/css', body: readFileSync(path.join(xterm, 'css/xterm.css')) },
}
