import { NativeSelect } from '@mantine/core'
import { useSearchState } from '../../components/table/search-state.ts'
import { m } from '../../texts/compiled/messages.js'

type States<S extends string> = Readonly<Record<S, { readonly many: () => string }>>

/** The state in the address that a list shows, else `first`; undefined for all. */
export function useShownState<S extends string>(states: States<S>, first: NoInfer<S> | 'all'): S | undefined {
  const [{ state = first }] = useSearchState()
  // The keys of the record are its type.
  const named = (Object.keys(states) as S[]).find((one) => one === state)
  if (named !== undefined || state === 'all' || first === 'all') return named
  return first
}

/** Chooses which state a list shows. */
export function StateChoice<S extends string>({
  states,
  first,
}: {
  states: States<S>
  first: NoInfer<S> | 'all'
}) {
  const shown = useShownState(states, first)
  const [, change] = useSearchState()
  return (
    <NativeSelect
      size="sm"
      aria-label={m.desk_queue_show()}
      value={shown ?? 'all'}
      data={[
        // The keys of the record are its type.
        ...(Object.keys(states) as S[]).map((value) => ({
          value: value as string,
          label: states[value].many(),
        })),
        { value: 'all', label: m.desk_queue_all() },
      ]}
      onChange={({ currentTarget: { value } }) =>
        change({ page: undefined, state: value === first ? undefined : value })
      }
    />
  )
}
