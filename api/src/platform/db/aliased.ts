/** Columns qualified with the alias of their table in a join. */
export const aliased = <A extends string, C extends string>(alias: A, names: readonly C[]) =>
  names.map((name) => `${alias}.${name}` as const)
