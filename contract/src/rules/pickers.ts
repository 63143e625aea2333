/** What days and moments are chosen from (seed, section 9). Of the days of the week, 1 is Monday. */
export const pickers = {
  firstYear: 1900,
  lastYear: 2100,
  weekStart: 1,
  minuteStep: 5,
  secondStep: 5,
} as const

export const firstDay = `${pickers.firstYear}-01-01`
export const lastDay = `${pickers.lastYear}-12-31`
