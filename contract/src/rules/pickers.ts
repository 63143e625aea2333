/** The ranges and steps of date and time pickers. Weekday 1 is Monday. */
export const pickers = {
  firstYear: 1900,
  lastYear: 2100,
  weekStart: 1,
  minuteStep: 5,
  secondStep: 5,
} as const

export const firstDay = `${pickers.firstYear}-01-01`
export const lastDay = `${pickers.lastYear}-12-31`
