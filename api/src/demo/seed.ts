import { billingStatus } from '@portico/contract/rules/billing-status.ts'
import { dayMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import { openAccount } from '#accounts/open-account.ts'
import { paymentScopeOn } from '#money/payments/payment-scope.ts'
import type { Payments } from '#money/payments/providers/providers.ts'
import type { Clock } from '#platform/clock.ts'
import { advisoryLocks } from '#platform/db/advisory-locks.ts'
import type { Database } from '#platform/db/pool.ts'
import { because } from '#platform/db/settings.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { clientStatus } from '#reference/client-status.ts'
import type { NewFile } from '#tickets/files/files.ts'
import { type Outside, provisionPanel } from '#workspaces/engines/panel-engines.ts'
import { addPanel } from '#workspaces/panels.ts'
import { addProject } from '#workspaces/projects.ts'
import { demoPassword } from './accounts.ts'
import { seedCards } from './cards.ts'
import { type DemoAccount, demoData, demoStaff } from './data.ts'
import { seedMoney, type UseOfDay } from './money.ts'
import { makeDemoBrand } from './operator/brand.ts'
import { makeDemoOperator } from './operator/operator.ts'
import { publishDemoTexts } from './operator/published-texts.ts'
import { planOf } from './plans/plan-history.ts'
import { offerDemoPlans } from './plans/plans.ts'
import { shareDemo } from './sharing.ts'
import { demoLog, openDemoTickets } from './tickets.ts'

export type SeedDeps = Outside & {
  readonly payments: Payments
  readonly useOfDay: UseOfDay
  readonly hashPassword: (password: string) => Promise<string>
  readonly createAccount: (
    tx: Database,
    account: { email: string; passwordHash: string; verifiedAt: Date },
  ) => Promise<string>
  /** Stores the file of a demo ticket. */
  readonly keepFile: (filename: string, content: Uint8Array) => Promise<NewFile | undefined>
  /** Aborts when the portal stops. */
  readonly signal?: AbortSignal
}

const mark = 'demo_seeded_at'
const demoReason = 'data of the demo'

type Making = {
  readonly tx: Database
  readonly now: Date
  readonly passwordHash: string
  readonly deps: SeedDeps
}

const daysFrom = (now: Date, days: number): Date => new Date(now.getTime() + days * dayMs)

/** Creates one account with its workspaces; returns the ids of its panels. */
async function makeAccount({ tx, now, passwordHash, deps }: Making, one: DemoAccount): Promise<number[]> {
  const authId = await deps.createAccount(tx, { email: one.email, passwordHash, verifiedAt: now })
  const [first, ...others] = one.workspaces
  if (!first) throw new Error(`${one.email} has no workspace.`)
  const { clientId, projectId } = await openAccount(tx, {
    ...one,
    authId,
    emailVerifiedAt: now,
    ...(one.trialDaysLeft !== undefined && {
      trialEndsAt: daysFrom(now, one.trialDaysLeft),
      getStarted: true,
    }),
    workspace: first[0],
  })
  const panelIds = await addPanels(tx, { clientId, projectId, domain: one.domain }, first[1])
  for (const [name, panels] of others) {
    const project = await addProject(tx, clientId, name)
    panelIds.push(...(await addPanels(tx, { clientId, projectId: project.id, domain: one.domain }, panels)))
  }
  await tx.updateTable('clients').set({ current_project_id: projectId }).where('id', '=', clientId).execute()
  return panelIds
}

/** A sign-in account with a staff row in `admins`; the demo's staff need no second factor. */
async function makeStaff(
  { tx, now, passwordHash, deps }: Making,
  { role, ...one }: (typeof demoStaff)[number],
): Promise<void> {
  const authId = await deps.createAccount(tx, { email: one.email, passwordHash, verifiedAt: now })
  await openAccount(tx, {
    ...one,
    authId,
    emailVerifiedAt: now,
    language: 'en',
    currency: 'USD',
    status: clientStatus.active,
    billingStatus: billingStatus.ok,
    entity: { accountType: 2 },
    workspace: 'My Workspace',
  })
  await tx
    .insertInto('admins')
    .values({
      email: one.email,
      display_name: one.firstName,
      role,
      auth_id: authId,
      totp_required: false,
      // Old enough to ask and approve.
      rights_since: new Date(now.getTime() - 30 * dayMs).toISOString(),
    })
    .execute()
}

/** Requires a second factor of staff in a demo that others can reach, because their passwords are public. */
export async function requireSecondFactor(db: Database, required: boolean): Promise<void> {
  const emails = demoStaff.map(({ email }) => email)
  await db.transaction().execute(async (tx) => {
    await because(tx, demoReason)
    await tx.updateTable('admins').set({ totp_required: required }).where('email', 'in', emails).execute()
  })
}

type Place = { readonly clientId: number; readonly projectId: number; readonly domain: string | undefined }

async function addPanels(
  tx: Database,
  { clientId, projectId, domain }: Place,
  panels: Readonly<Record<string, string>>,
): Promise<number[]> {
  const ids: number[] = []
  for (const [name, code] of Object.entries(panels)) {
    const plan = await planOf(tx, code)
    const panel = await addPanel(tx, {
      client_id: clientId,
      project_id: projectId,
      name,
      plan_id: plan.id,
      plan_code: plan.engine_plan,
      domain: plan.needs_domain ? (domain ?? null) : null,
    })
    ids.push(panel.id)
  }
  return ids
}

/** Claims the seeding for this transaction; false when it was done before or another process holds it. */
async function claim(tx: Database, now: Date): Promise<boolean> {
  // Another process may seed for longer than a statement may take.
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`select pg_advisory_xact_lock(${advisoryLocks.demoAccounts})`.execute(tx)
  const claimed = await tx
    .insertInto('settings')
    .values({ key: mark, value: JSON.stringify(now.toISOString()) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst()
  return claimed !== undefined
}

/**
 * Seeds a new installation with the demo's people, once. Resolves when their panels are created and synced;
 * after an interruption the panels' jobs complete that. Returns whether there was anything to do.
 */
export async function seedDemo(deps: SeedDeps): Promise<boolean> {
  const { pool } = deps
  const done = await pool.kysely
    .selectFrom('settings')
    .select('key')
    .where('key', '=', mark)
    .executeTakeFirst()
  const panelIds = done ? [] : await seedPeople(deps)
  const ours = panelIds.length > 0
  // An interrupted seed leaves people without history.
  if (ours || done) await seedPast(deps)
  await enqueue(pool.kysely, 'reports.fill', {}, { key: 'reports.fill' })
  return ours
}

// A failure here must stop the seed, because a later retry by a job would run after the history is complete.
const report = (error: unknown): never => {
  throw error
}

/** Cards first, because the history pays with them. */
async function seedPast({ pool, vault, payments, useOfDay, signal }: SeedDeps): Promise<void> {
  const paymentScope = paymentScopeOn({ pool, vault, payments })
  await seedCards(paymentScope)
  await pool.kysely.transaction().execute((tx) =>
    seedMoney(tx, {
      useOfDay,
      signal,
      paymentScope: { ...paymentScope, report, within: (work) => work(tx) },
    }),
  )
}

async function seedPeople(deps: SeedDeps): Promise<number[]> {
  const { pool, clock } = deps
  const passwordHash = await deps.hashPassword(demoPassword)
  const log = await deps.keepFile('checkout-errors.log', demoLog)
  const panelIds = await pool.kysely
    .transaction()
    .execute((tx) => fill(tx, { clock, passwordHash, deps, log }))
  await Promise.all(panelIds.map((panelId) => provisionPanel(deps, panelId, { last: false })))
  return panelIds
}

type Filling = {
  readonly clock: Clock
  readonly passwordHash: string
  readonly deps: SeedDeps
  readonly log: NewFile | undefined
}

async function fill(tx: Database, { clock, passwordHash, deps, log }: Filling): Promise<number[]> {
  const now = clock.now()
  if (!(await claim(tx, now))) return []
  await because(tx, demoReason)
  const panelIds: number[] = []
  const making = { tx, now, passwordHash, deps }
  await makeDemoOperator(tx)
  await makeDemoBrand(tx)
  await publishDemoTexts(tx)
  await offerDemoPlans(tx)
  for (const one of demoData) panelIds.push(...(await makeAccount(making, one)))
  for (const one of demoStaff) await makeStaff(making, one)
  await shareDemo({ tx, vault: deps.vault, now })
  await openDemoTickets({ tx, vault: deps.vault, now }, log)
  return panelIds
}
