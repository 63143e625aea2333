import * as z from 'zod/mini'
import { savedDrafts } from '../../stores/saved-drafts.ts'

/** Kept in the browser until the person signs out. */
const name = 'recently opened'

const most = 5

/** Something that the palette opened: an address with its name. */
const place = z.object({
  id: z.string(),
  label: z.string(),
  description: z.optional(z.string()),
  to: z.string(),
  search: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
})

export type Place = z.infer<typeof place>

/** The last places, newest first. */
export function recentPlaces(): Place[] {
  const { success, data } = z.array(place).safeParse(savedDrafts.read(name))
  return success ? data : []
}

/** Puts a place first. */
export function rememberPlace(opened: Place): void {
  const others = recentPlaces().filter(({ id }) => id !== opened.id)
  // A browser without storage forgets.
  try {
    savedDrafts.keep(name, [opened, ...others].slice(0, most))
  } catch {
    return
  }
}
