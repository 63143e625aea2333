import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { CannotStart, type Env, readEnv } from '#config/env.ts'
import { copyOf } from '#platform/acts-as.ts'
import { systemClock } from '#platform/clock.ts'
import type { Connection } from '#platform/db/connection.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { allowedHosts } from '#platform/egress.ts'
import { reason, inWords as refusalInWords } from '#platform/errors/problem.ts'
import type { Vault } from '#platform/vault.ts'
import { engineAdapters } from '#workspaces/engines/adapters.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import { accountsOf, type Proposal, proposalsFor } from '#workspaces/take-over/proposals.ts'
import { asStaff } from '#workspaces/take-over/staff-write.ts'
import { planOf, takenFrom, takeOver, unclearOf, undoTakeOver } from '#workspaces/take-over/take-over.ts'
import { withDatabase } from './with-database.ts'

const usage = `Links accounts that an engine has from before the portal to clients. Nothing is created, restarted or deleted.

  npm run engine:take-over -- CODE                                              shows which client each account fits
  npm run engine:take-over -- CODE --confirm --as EMAIL --reason "WHY"          links what fits one client
  npm run engine:take-over -- CODE --confirm --only ID --as EMAIL --reason "…"  links one account; may be repeated
  npm run engine:take-over -- CODE --undo --as EMAIL --reason "WHY"             makes all of them nobody's again

EMAIL is of an administrator, in whose name it is logged.`

type Options = ReturnType<typeof options>

const options = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      confirm: { type: 'boolean', default: false },
      undo: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      as: { type: 'string' },
      reason: { type: 'string' },
    },
  })

function given(args: string[]): Options {
  try {
    const asked = options(args)
    const { confirm, undo, only } = asked.values
    if (asked.positionals.length === 1 && !(confirm && undo) && (confirm || !only)) return asked
  } catch {
    // The messages of parseArgs are about arguments; the usage text below is more helpful.
  }
  throw new CannotStart(usage)
}

/** Throws what the desk refuses too: a copy would take the accounts of a real engine from its original. */
async function assertActs(env: Env, connection: Connection): Promise<void> {
  const why = await copyOf(env, connection)
  if (why !== undefined)
    throw new CannotStart(
      `${refusalInWords(reason('copy_mode'), 'en')} It is one because ${why}; npm run takeover makes it act.`,
    )
}

/** The administrator in whose name the command writes, and why. */
async function byOf(db: Database, { as: email = '', reason = '' }: Options['values']) {
  if (reason.trim().length < 3 || reason.length > 300)
    throw new CannotStart('Say why with --reason, in 3 to 300 characters.')
  const found = await db
    .selectFrom('admins')
    .select('id')
    .where('email', '=', email)
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw new CannotStart(`There is no administrator ${email}.`)
  return { admin: found.id, reason: reason.trim(), run: `take-over-${randomUUID()}` }
}

const inWords = ({ match, candidates }: Proposal) => {
  if (match) return `${match.email} (by ${match.by})`
  return candidates > 1 ? `fits ${candidates} clients` : 'fits no client'
}

/** The resources of an account at its engine, and the plan of its panel: fees begin with the plan. */
async function offerOf(db: Database, engineId: number, { plan, created_at: made }: Proposal['account']) {
  const id = await planOf(db, engineId, plan)
  const ours = id && (await db.selectFrom('plans').select('code').where('id', '=', id).executeTakeFirst())
  const found = plan === null ? 'no plan' : `plan ${plan}, ${ours ? `here ${ours.code}` : 'here none'}`
  return made == null ? found : `${found}, made on ${made.slice(0, 10)}`
}

async function show(db: Database, engineId: number, proposals: readonly Proposal[]): Promise<void> {
  for (const one of proposals) {
    const { id, name, domain, owner } = one.account
    console.log(`${[id, name, domain, owner.email].filter(Boolean).join('  ')}  ->  ${inWords(one)}`)
    console.log(`  ${await offerOf(db, engineId, one.account)}`)
  }
  const matched = proposals.filter(({ match }) => match).length
  console.log(`${matched} of ${proposals.length} accounts fit one client.`)
}

async function run(
  keys: { readonly pool: Pool; readonly vault: Vault },
  asked: Options,
  env: Env,
): Promise<void> {
  const {
    values,
    positionals: [code = ''],
  } = asked
  const db = keys.pool.kysely
  const access = await engineAccess({ db, vault: keys.vault }, { code })
  if (!access) throw new CannotStart(`There is no engine ${code} in use.`)
  const { list, adopt } = access.capabilities
  if (list !== true || adopt !== true) throw new CannotStart(`Engine ${code} does not offer list and adopt.`)
  const allowed = allowedHosts(env.engineAllowedHosts)
  const engines = engineAdapters({ clock: systemClock, publicUrl: env.publicUrl, allowed })
  try {
    const engine = engines.open(access)
    const at = async () =>
      asStaff({ pool: keys.pool, clock: systemClock, access, engine }, await byOf(db, values))
    if (values.undo) {
      const { released, left } = await undoTakeOver(await at(), await takenFrom(db, access.id))
      console.log(`${released} accounts are nobody's again, ${left} are left as they were.`)
      return
    }
    const all = await proposalsFor(db, await accountsOf(engine))
    const { only } = values
    const proposals = only ? all.filter(({ account }) => only.includes(account.id)) : all
    if (!values.confirm) return show(db, access.id, proposals)
    const outcomes = await takeOver(await at(), proposals, await unclearOf(db, access.id))
    const many = (outcome: string) => [...outcomes.values()].filter((one) => one === outcome).length
    console.log(
      `${many('adopted')} linked, ${many('refused')} refused, ${many('unclear')} without an answer.`,
    )
    if (many('unclear') > 0)
      console.log('Run it again: what got no answer is asked again, and not done twice.')
  } finally {
    await engines.close()
  }
}

try {
  const asked = given(process.argv.slice(2))
  const env = readEnv(process.env)
  await withDatabase(env, 'engine:take-over', async (pool, vault, connection) => {
    if (asked.values.confirm || asked.values.undo) await assertActs(env, connection)
    await run({ pool, vault }, asked, env)
  })
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
