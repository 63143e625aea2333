import type { Expression, SqlBool } from 'kysely'

type Condition = (value: Expression<string>) => Expression<SqlBool>

/** The filters of a type by conditions on their value alone, which other statements share. */
export function byValue<C extends Readonly<Record<string, Condition>>>(conditions: C) {
  const filters = Object.entries(conditions).map(([name, of]) => [
    name,
    (_: unknown, value: Expression<string>) => of(value),
  ])
  // The entries keep their names.
  return Object.fromEntries(filters) as {
    readonly [F in keyof C]: (_: unknown, value: Expression<string>) => Expression<SqlBool>
  }
}
