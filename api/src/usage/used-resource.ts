import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * The condition that a row of `usages`, under the query's alias, is of a resource: by the row's own name, or
 * prefixed with its panel as in the sums, because the same name may occur in several panels.
 */
export const isOfResource = (name: string, of: Expression<string>): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${name}.resource_ref`)} = regexp_replace(${of}::text, '^[0-9]{1,15}/', '')
  and (${of}::text !~ '^[0-9]{1,15}/' or ${sql.ref(`${name}.panel_id`)}::text = split_part(${of}::text, '/', 1)))`

/** The same for a query of its own: the panel, if the name has one, and the row's own name. */
export function splitReference(resource: string | undefined) {
  const [, panel, reference] = /^(?:([0-9]{1,15})\/)?(.*)$/s.exec(resource ?? '') ?? []
  return { panel: panel === undefined ? undefined : Number(panel), reference }
}
