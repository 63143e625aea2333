import type { closingObstacles } from '@portico/contract/calls/account/account.ts'
import type { RefusalCode } from '@portico/contract/refusals/index.ts'
import { dayMs } from '@portico/contract/time.ts'
import { Big } from 'big.js'
import { sql } from 'kysely'
import { owedStatuses } from '#money/invoice-statuses.ts'
import { isOpenPayment } from '#money/payments/payment-rows.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { clientStatus } from '#reference/client-status.ts'
import { endPermission } from '#sharing/permission-end.ts'
import { moveTicket } from '#tickets/actions.ts'
import { dropExports } from './data-exports.ts'

export type Obstacle = (typeof closingObstacles)[number]

/** The grace period of a closed account in days: until then a wrongful closing can be reverted. */
export const erasedAfterDays = 30

/** From when an account that is closed now is erased. */
export const erasedFrom = (now: Date): string =>
  new Date(now.getTime() + erasedAfterDays * dayMs).toISOString()

type Standing = {
  panels: number
  payment: boolean
  usage: boolean
  bills: boolean
  balance: string
  currency: string
}

/** The unsettled sums of an account. Sums below a cent do not count, because nobody can pay them. */
async function standing(tx: Database, clientId: number): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select
      (select count(*)::int from panels p where p.client_id = c.id and p.deleted_at is null) as panels,
      exists (select from payments p where p.client_id = c.id and ${isOpenPayment('p')})
        or exists (select from payment_disputes d join payments p on p.id = d.payment_id
          where p.client_id = c.id and d.status = 'open') as payment,
      exists (select from usages u where u.client_id = c.id and u.rated_amount <> u.charged_amount) as usage,
      exists (select from invoices i where i.client_id = c.id and i.kind = 'fiscal' and i.invoice_status_id in ${owedStatuses})
        as bills,
      round(b.account_balance, 2)::text as balance, m.code as currency
    from clients c join account_balances b on b.client_id = c.id join currencies m on m.id = c.currency_id
    where c.id = ${clientId}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw refuse('account_not_found')
  return row
}

function obstaclesOf({ panels, payment, usage, bills, balance }: Standing): Obstacle[] {
  const left = new Big(balance)
  const found: readonly (readonly [Obstacle, boolean])[] = [
    ['panels', panels > 0],
    ['payment', payment],
    ['usage', usage],
    ['debt', left.lt(0)],
    ['money', left.gt(0)],
    ['bills', bills],
  ]
  return found.filter(([, stands]) => stands).map(([name]) => name)
}

/** Whether the person's account can be closed, with the obstacles. */
export async function closingOf(db: Database, clientId: number) {
  const found = await standing(db, clientId)
  return {
    obstacles: obstaclesOf(found),
    balance: Number(found.balance),
    currency: found.currency,
    panels: found.panels,
    erased_after_days: erasedAfterDays,
  }
}

const refusalOf = {
  panels: 'account_has_panels',
  payment: 'account_payment_unfinished',
  usage: 'account_usage_uncharged',
  debt: 'account_in_debt',
  money: 'account_has_money',
  bills: 'account_has_unpaid_invoices',
} as const satisfies Record<Obstacle, RefusalCode>

/**
 * Throws the refusal of the first obstacle, with all of them in `meta.obstacles`. The caller holds the
 * client's lock.
 */
async function assertClosable(tx: Database, clientId: number): Promise<void> {
  const obstacles = obstaclesOf(await standing(tx, clientId))
  const [first] = obstacles
  if (first === undefined) return
  throw refuse(refusalOf[first], {}, { meta: { obstacles } })
}

type Work = Pick<Context, 'tx' | 'vault' | 'now'>

/** Ends all sharing by the person and with them. */
async function endSharing(work: Work, clientId: number): Promise<void> {
  const shared = await work.tx
    .selectFrom('share_permissions')
    .select(['id', 'inviting_client_id as owner'])
    .where((eb) => eb.or([eb('inviting_client_id', '=', clientId), eb('invited_client_id', '=', clientId)]))
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id, owner } of shared) await endPermission(work, id, owner === clientId ? 'owner' : 'guest')
}

/** Ends automatic billing, and requests the deletion of each card at its provider. */
async function endCards(tx: Database, clientId: number): Promise<void> {
  await tx
    .updateTable('automated_billing_rules')
    .set({
      enabled: false,
      status: 'off',
      next_try_at: null,
      use_fallback: false,
      card_id: null,
      fallback_card_id: null,
    })
    .where('client_id', '=', clientId)
    .execute()
  const cards = await tx
    .updateTable('cards')
    .set({ status: 'removed', is_default: false })
    .where('client_id', '=', clientId)
    .where('status', '<>', 'removed')
    .returning(['provider', 'provider_ref as ref'])
    .execute()
  for (const card of cards) await enqueue(tx, 'card.detach', card)
}

async function endTickets(work: Work, clientId: number): Promise<void> {
  const open = await work.tx
    .selectFrom('tickets')
    .select('id')
    .where('client_id', '=', clientId)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id } of open) await moveTicket(work, id, 'close')
}

/**
 * Ends an account with its API keys, sharing in both directions, automatic billing, cards, tickets, and data
 * exports. Documents, ledger and payments are retained by law. Identity ends the sign-in methods in the same
 * transaction, which holds the client's lock. Throws like `assertClosable`.
 */
export async function endAccount(work: Work, clientId: number): Promise<void> {
  const { tx, now } = work
  await assertClosable(tx, clientId)
  await tx
    .updateTable('api_keys')
    .set({ revoked_at: now.toISOString() })
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .execute()
  await endSharing(work, clientId)
  await endCards(tx, clientId)
  await endTickets(work, clientId)
  await dropExports(tx, clientId)
  await tx
    .updateTable('clients')
    .set({ status: clientStatus.closed, closed_at: now.toISOString() })
    .where('id', '=', clientId)
    .execute()
}
