import type {
  SpotlightActionData,
  SpotlightActionGroupData,
  SpotlightFilterFunction,
} from '@mantine/spotlight'

/** Lower case without diacritics, so that "plati" finds "Plăți". */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const about = ({ label = '', description = '', keywords = '' }: SpotlightActionData) =>
  plain([label, description, ...[keywords].flat()].join(' '))

/** How well an action fits: 0 if its name begins so, 1 if its name contains the text, 2 if it contains every word. */
function rank(action: SpotlightActionData, query: string): 0 | 1 | 2 | undefined {
  const label = plain(action.label ?? '')
  if (label.startsWith(query)) return 0
  if (label.includes(query)) return 1
  const all = about(action)
  return query.split(/\s+/).every((word) => all.includes(word)) ? 2 : undefined
}

/** Entries of a group. With more of them typing on is quicker than reading, and rendering hundreds takes seconds. */
const mostOfGroup = 20

/** The best actions that fit, the best first within their group, and the group of the best one first. */
export function fitting(
  typed: string,
  data: Parameters<SpotlightFilterFunction>[1],
): SpotlightActionGroupData[] {
  const query = plain(typed.trim())
  // The palette hands over groups alone.
  const groups = data as SpotlightActionGroupData[]
  if (query === '')
    return groups
      .filter(({ actions }) => actions.length > 0)
      .map(({ group, actions }) => ({ group, actions: actions.slice(0, mostOfGroup) }))
  return groups
    .map(({ group, actions }) => {
      const ranked = actions.flatMap((action) => {
        const at = rank(action, query)
        return at === undefined ? [] : { at, action }
      })
      ranked.sort((a, b) => a.at - b.at)
      return { best: ranked[0]?.at, group, actions: ranked.slice(0, mostOfGroup).map(({ action }) => action) }
    })
    .filter(({ best }) => best !== undefined)
    .sort((a, b) => (a.best ?? 0) - (b.best ?? 0))
    .map(({ group, actions }) => ({ group, actions }))
}
