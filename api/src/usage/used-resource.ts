import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * Whether a row of `usages`, under a name of the query's, is of a resource: as the row has it, or with its panel before it, as
 * sums have it, because the same name may be in several panels.
 */
export const isOfResource = (name: string, of: Expression<string>): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${name}.resource_ref`)} = regexp_replace(${of}::text, '^[0-9]+/', '')
  and (${of}::text !~ '^[0-9]+/' or ${sql.ref(`${name}.panel_id`)}::text = split_part(${of}::text, '/', 1)))`
