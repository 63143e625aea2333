import { parseArgs } from 'node:util'
import { CannotStart, type Env, readEnv } from '#config/env.ts'
import type { Pool } from '#platform/db/pool.ts'
import { type Allowed, allowedHosts } from '#platform/egress.ts'
import type { Vault } from '#platform/vault.ts'
import { engineCode, engineUrl } from '#workspaces/engines/engine-url.ts'
import {
  listEngines,
  registerEngine,
  retireSecrets,
  rotateSecret,
  setDisabled,
} from '#workspaces/engines/registry.ts'
import { withDatabase } from './with-database.ts'

const usage = `Engines that the portal knows.

  npm run engine:list
  npm run engine:add -- --name "Frankfurt" --url https://engine.example.com [--code frankfurt] [--default]
  npm run engine:rotate -- CODE            adds a second secret; both are active
  npm run engine:rotate -- CODE --finish   revokes all secrets but the newest
  npm run engine:disable -- CODE           it is asked no more, and not heard
  npm run engine:enable -- CODE`

type Keys = { readonly db: Pool['kysely']; readonly vault: Vault }
type Options = ReturnType<typeof options>

const options = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      url: { type: 'string' },
      code: { type: 'string' },
      default: { type: 'boolean', default: false },
      finish: { type: 'boolean', default: false },
    },
  })

/** The checked address. */
function urlOf(text: string, allowed: Allowed): string {
  const checked = engineUrl(text, allowed)
  if ('url' in checked) return checked.url
  throw new CannotStart(
    checked.fault === 'invalid'
      ? `${text} is not an address such as https://engine.example.com.`
      : `Engines are reached over https, unless ENGINE_ALLOWED_HOSTS names ${checked.host}.`,
  )
}

async function add({ db, vault }: Keys, { values }: Options, env: Env): Promise<void> {
  const { name = '', url = '', code = engineCode(name) } = values
  if (name.trim() === '' || url === '' || !/^[a-z0-9][a-z0-9-]{0,39}$/.test(code))
    throw new CannotStart(usage)
  const baseUrl = urlOf(url, allowedHosts(env.engineAllowedHosts))
  const known = await listEngines(db)
  if (known.some((one) => one.code === code)) throw new CannotStart(`Engine ${code} already exists.`)
  const engine = { code, name: name.trim(), baseUrl, isDefault: values.default }
  const secret = await registerEngine({ db, vault }, engine)
  console.log(`Engine ${code} is registered at ${baseUrl}.

  secret        ${secret}
  its events    ${env.publicUrl}/engine/v1/events, with the header webhook-engine: ${code}

The secret is shown only once. Both sides sign with it; see contract/panel-engine.v1.yaml.`)
}

async function rotate({ db, vault }: Keys, { values, positionals: [code = ''] }: Options): Promise<void> {
  if (values.finish) {
    console.log(`${await retireSecrets(db, code)} old secrets of ${code} were revoked.`)
    return
  }
  const secret = await rotateSecret({ db, vault }, code)
  if (secret === undefined) throw new CannotStart(`There is no engine ${code}.`)
  console.log(`Engine ${code} has a second secret; the first one stays active.

  secret        ${secret}

Give it to the engine, then revoke the old one: npm run engine:rotate -- ${code} --finish`)
}

async function list({ db }: Keys): Promise<void> {
  for (const one of await listEngines(db)) {
    const state = one.disabled_at === null ? one.health : 'disabled'
    const about = [state, `${one.panels} panels`, `${one.secrets} secrets`, one.version, one.health_detail]
    console.log(`${one.code}${one.is_default ? ' (default)' : ''}  ${one.base_url ?? 'built in'}`)
    console.log(`  ${one.name}: ${about.filter(Boolean).join(', ')}`)
  }
}

async function turn({ db }: Keys, { positionals: [code = ''] }: Options, at: Date | null): Promise<void> {
  if (!(await setDisabled(db, code, at))) throw new CannotStart(`There is no engine ${code}.`)
  console.log(`Engine ${code} is ${at === null ? 'enabled' : 'disabled'}.`)
}

function parseOptions(args: string[]): Options {
  try {
    return options(args)
  } catch {
    throw new CannotStart(usage)
  }
}

async function run(keys: Keys, command: string | undefined, asked: Options, env: Env): Promise<void> {
  switch (command) {
    case 'add':
      return add(keys, asked, env)
    case 'rotate':
      return rotate(keys, asked)
    case 'list':
      return list(keys)
    case 'disable':
      return turn(keys, asked, new Date())
    case 'enable':
      return turn(keys, asked, null)
    default:
      throw new CannotStart(usage)
  }
}

/** `npm run engine:add` and related commands. */
async function main([command, ...args]: string[]): Promise<void> {
  const asked = parseOptions(args)
  const env = readEnv(process.env)
  await withDatabase(env, `engine:${command}`, (pool, vault) =>
    run({ db: pool.kysely, vault }, command, asked, env),
  )
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
