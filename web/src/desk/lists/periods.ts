/** UTC days; `to` is the first day on which it no longer holds. Null: without beginning, or without end. */
export type Period = { readonly from: string | null; readonly to: string | null }

/** Whether a period is over on a day, holds then, or begins later. */
export const stateOf = ({ from, to }: Period, on: string): 'past' | 'now' | 'next' => {
  if (to !== null && to <= on) return 'past'
  return from !== null && from > on ? 'next' : 'now'
}

/** A change on a day: what held before it, and what holds from then on. */
export type Change<V> = { readonly on: string; readonly before: V; readonly after: V }

/**
 * The periods between changes, which are in the order of time. What was changed again on the same day never held for a day,
 * so it is left out.
 */
export function periodsOf<V>(changes: readonly Change<V>[]): (Period & { readonly value: V })[] {
  const [first] = changes
  if (first === undefined) return []
  const periods = changes.map(({ on, after }, at) => ({
    from: on,
    to: changes[at + 1]?.on ?? null,
    value: after,
  }))
  return [{ from: null, to: first.on, value: first.before }, ...periods].filter(({ from, to }) => from !== to)
}

/** Periods in the order of time, of which neighbours with the same words are one. */
export function joined<P extends Period & { readonly words: string }>(periods: readonly P[]): P[] {
  const all: P[] = []
  for (const next of periods) {
    const last = all.at(-1)
    const isSame = last !== undefined && last.words === next.words && last.to === next.from
    if (isSame) all.splice(-1, 1, { ...last, to: next.to })
    else all.push(next)
  }
  return all
}
