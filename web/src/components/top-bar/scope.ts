import { useMatches, useNavigate, useSearch } from '@tanstack/react-router'
import { href } from '../../routes.ts'

/** The pages that the switcher filters; on others it changes the current workspace. */
const pages = ['billing', 'usages', 'tickets'] as const

export type Scope = {
  /** The workspace of the filter; undefined for all. */
  readonly id: number | undefined
  readonly choose: (id: number | undefined) => void
}

/** The filter by workspace of the current page; undefined on pages without one. */
export function useScope(): Scope | undefined {
  const current = useMatches({ select: (matches) => matches.at(-1)?.staticData.name })
  const given: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const page = pages.find((name) => name === current)
  if (page === undefined) return undefined
  const others = { account: undefined, panel: undefined, resource: undefined, page: undefined }
  return {
    id: Number(given.workspace) || undefined,
    // Filters by what is in another workspace or account would leave nothing.
    choose: (workspace) =>
      void navigate({ to: href(page), search: { ...given, ...others, workspace }, replace: true }),
  }
}
