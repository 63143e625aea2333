// A day of usage has a place that programs for such data understand, because people read it without the portal.
const usageFolder = 'usage-events'
const ofUsage = /^usage-day-(\d{4}-\d\d-\d\d)$/
const inUsage = /^usage-events\/day=(\d{4}-\d\d-\d\d)\/0\.parquet$/

/** The key of the archive of a day. */
export const usageKey = (day: string): string => `usage-day-${day}`

/** Where the archives of all days are, in a folder or a bucket. */
export const usagePlaces = `${usageFolder}/`

/** The place of an archive of usage, as in Hive: `usage-events/day=2026-11-20/0.parquet`. Undefined for other keys. */
export function usagePlaceOf(key: string): string | undefined {
  const day = ofUsage.exec(key)?.[1]
  return day === undefined ? undefined : `${usageFolder}/day=${day}/0.parquet`
}

/** The key of the archive at a place; undefined for a file that the portal did not write. */
export function usageKeyAt(place: string): string | undefined {
  const day = inUsage.exec(place)?.[1]
  return day === undefined ? undefined : usageKey(day)
}
