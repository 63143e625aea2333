import type { usages } from '@portico/contract/resources/usages.ts'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { accountOf, currencyOf } from './asked-account.ts'
import { splitReference } from './used-resource.ts'

type Asked = z.output<typeof usages.actions.summary.input>
type Summary = z.input<typeof usages.actions.summary.output>
type Group = Asked['group_by'][number]

const standardDays = 30
const mostDays = 400
const mostRows = 5000

type Split = {
  readonly by: RawBuilder<unknown>
  readonly key: RawBuilder<unknown>
  readonly label: RawBuilder<unknown>
}

const month = sql`to_char(d.usage_on, 'YYYY-MM')`

// Amounts are stored in several tables, as rows of days by client, by panel and by resource; `d` is a row of
// the chosen one. Rows are grouped by ids, and named after grouping: comparing texts costs more than all the
// sums.
const groups: Record<Group, Split> = {
  day: { by: sql`d.usage_on`, key: sql`d.usage_on::text`, label: sql`d.usage_on::text` },
  month: { by: month, key: month, label: month },
  project: {
    by: sql`d.project_id`,
    key: sql`d.project_id::text`,
    label: sql`(select name from projects where id = d.project_id)`,
  },
  panel: {
    by: sql`d.panel_id`,
    key: sql`d.panel_id::text`,
    label: sql`coalesce((select name from panels where id = d.panel_id), '')`,
  },
  resource: {
    by: sql`d.panel_id, d.resource_ref`,
    key: sql`d.panel_id || '/' || d.resource_ref`,
    label: sql`coalesce(max(d.resource_name), d.resource_ref)`,
  },
  meter: {
    by: sql`l.meter_id`,
    key: sql`(select code from meters where id = l.meter_id)`,
    label: sql`(select unit from meters where id = l.meter_id)`,
  },
}

/** The table to query: the smallest that holds the requested detail. */
function sourceOf({ group_by, meter, resource, panel_id, project_id }: Asked) {
  const by = new Set<Group>(group_by)
  if (by.has('meter') || meter !== undefined)
    return {
      from: sql`usages d join usage_lines l on l.usage_id = d.id`,
      rated: sql`coalesce(sum(l.amount), 0)`,
      // The charged amount is known per resource and day, so per meter only once the day is fully charged.
      charged: sql`coalesce(sum(l.amount) filter (where d.rated_amount = d.charged_amount), 0)`,
      unpriced: sql`count(*) filter (where l.amount is null)`,
      quantity: by.has('meter') ? sql`sum(l.quantity)` : sql`null`,
    }
  const narrow = panel_id !== undefined || project_id !== undefined || by.has('panel') || by.has('project')
  const table = narrow ? sql`usage_panel_days d` : sql`usage_client_days d`
  return {
    from: by.has('resource') || resource !== undefined ? sql`usages d` : table,
    rated: sql`sum(d.rated_amount)`,
    charged: sql`sum(d.charged_amount)`,
    unpriced: sql`sum(d.unpriced::int)`,
    quantity: sql`null`,
  }
}

function conditionsOf(asked: Asked, client: number, { from, to }: Range): RawBuilder<SqlBool> {
  const { project_id, panel_id, resource, meter } = asked
  const { panel, reference } = splitReference(resource)
  const all = [
    sql`d.client_id = ${client}`,
    sql`d.usage_on between ${from} and ${to}`,
    ...(project_id === undefined ? [] : [sql`d.project_id = ${project_id}`]),
    ...(panel_id === undefined ? [] : [sql`d.panel_id = ${panel_id}`]),
    ...(resource === undefined ? [] : [sql`d.resource_ref = ${reference}`]),
    ...(panel === undefined ? [] : [sql`d.panel_id = ${panel}`]),
    ...(meter === undefined ? [] : [sql`l.meter_id = (select id from meters where code = ${meter})`]),
  ]
  return sql<SqlBool>`${sql.join(all, sql` and `)}`
}

type Range = { readonly from: string; readonly to: string }

/** The requested days, by default the last thirty. Throws `usage_days_out_of_range`. */
async function rangeOf({ tx }: Context, { from, to }: Asked): Promise<Range> {
  const { rows } = await sql<Range & { days: number }>`
    select r.to - r.from + 1 as days, r.from::text, r.to::text from (
      select t.to, coalesce(${from ?? null}::date, t.to - ${standardDays - 1}::int) as from
      from (select coalesce(${to ?? null}::date, clock_today()) as to) t) r`.execute(tx)
  const [range] = rows
  if (!range || range.days < 1 || range.days > mostDays)
    throw refuse(
      'usage_days_out_of_range',
      { most: mostDays },
      {
        source: { parameter: 'payload.from' },
      },
    )
  return range
}

type SumRow = {
  readonly key: string[]
  readonly label: string[]
  readonly rated: string
  readonly charged: string
  readonly quantity: string | null
  // Summed over all rows by the database, which is exact.
  readonly all_rated: string
  readonly all_charged: string
  readonly all_unpriced: string
  readonly others: number
}

/**
 * Keeps the rows of the largest of the last dimension, and sums the others under an empty key. Quantities of different
 * meters are no sum.
 */
function largestOf(top: number, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select case when place <= ${top} then key else trim_array(key, 1) || ''::text end as key,
      case when place <= ${top} then label else trim_array(label, 1) || ''::text end as label,
      sum(rated) as rated, sum(charged) as charged, sum(unpriced) as unpriced,
      sum(quantity) filter (where place <= ${top}) as quantity, max(beyond) as others
    from (
      select w.*, greatest(max(place) over () - ${top}, 0) as beyond from (
        select t.*, dense_rank() over (order by whole desc, last) as place from (
          select r.*, key[cardinality(key)] as last, sum(rated) over (partition by key[cardinality(key)]) as whole
          from (${rows}) r) t) w) g
    group by 1, 2`
}

async function rowsOf({ tx }: Context, asked: Asked, client: number, range: Range): Promise<SumRow[]> {
  const { from, rated, charged, unpriced, quantity } = sourceOf(asked)
  const by = asked.group_by.map((name) => groups[name])
  const keys = sql.join(by.map(({ key }) => key))
  const labels = sql.join(by.map(({ label }) => label))
  // One generic plan serves all accounts and would assume few rows: an index lookup per usage is right for
  // many rows too, while a bitmap per usage costs twice as much, and a sequential scan reads everybody's
  // rows.
  await sql`select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)`.execute(
    tx,
  )
  const every = sql`
    select array[${keys}] as key, array[${labels}] as label, ${rated} as rated, ${charged} as charged,
      ${unpriced} as unpriced, ${quantity}::numeric as quantity, 0 as others
    from ${from} where ${conditionsOf(asked, client, range)}
    group by ${sql.join(by.map((one) => one.by))}`
  const wanted = asked.top === undefined ? every : largestOf(asked.top, every)
  const { rows } = await sql<SumRow>`
    select key, label, rated, charged, quantity, sum(rated) over () as all_rated, sum(charged) over () as all_charged,
      sum(unpriced) over () as all_unpriced, others::int as others
    from (${wanted} limit ${mostRows + 1}) r order by key`.execute(tx)
  if (rows.length > mostRows)
    throw refuse(
      'usage_rows_most',
      { most: mostRows },
      {
        source: { parameter: 'payload.group_by' },
      },
    )
  return rows
}

/**
 * Sums of an account's usage, grouped as requested, with totals: the actor's own account unless another is
 * named, which needs billing access. Authorized staff see any account they name. Throws
 * `usage_days_out_of_range`, `usage_rows_most`, `usage_client_missing`, and `not_found` to staff for a
 * missing account.
 */
export async function summariseUsage(context: Context, asked: Asked): Promise<Summary> {
  const client = await accountOf(context, asked)
  const range = await rangeOf(context, asked)
  const rows = client === undefined ? [] : await rowsOf(context, asked, client, range)
  const [first] = rows
  return {
    currency: await currencyOf(context, client),
    rows: rows.map(({ key, label, rated, charged, quantity }) => ({
      key,
      label,
      rated_amount: Number(rated),
      charged_amount: Number(charged),
      quantity: quantity === null ? null : Number(quantity),
    })),
    totals: {
      rated_amount: Number(first?.all_rated ?? 0),
      charged_amount: Number(first?.all_charged ?? 0),
      unpriced: Number(first?.all_unpriced ?? 0),
    },
    others: first?.others ?? 0,
  }
}
