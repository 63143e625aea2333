/** Something that happened, with the moment by which it has its place. */
export type Dated = { readonly at: string }

/** The newest events of one kind; `isWhole`: there are no older ones. */
export type Source<E extends Dated> = { readonly events: readonly E[]; readonly isWhole: boolean }

const time = ({ at }: Dated) => Date.parse(at)

/**
 * The events of all kinds on one line, the newest first. It ends where the next event may be one of a kind that has not
 * been read so far, so that nothing is missing between two events.
 */
export function lineOf<E extends Dated>(sources: readonly Source<E>[]): Source<E> {
  const ends = sources.filter(({ isWhole }) => !isWhole).map(({ events }) => Math.min(...events.map(time)))
  const from = Math.max(Number.NEGATIVE_INFINITY, ...ends)
  const events = sources
    .flatMap((source) => source.events)
    .filter((event) => time(event) >= from)
    .sort((a, b) => time(b) - time(a))
  return { events, isWhole: ends.length === 0 }
}
