const light = { colorScheme: 'light', width: 1280 } as const
const dark = { colorScheme: 'dark', width: 360 } as const

/**
 * In which theme and at which width pages are looked at: each of either once, or with ALL_LOOKS every pair, which takes
 * twice as long and has not yet found what the two did not.
 */
export const looks = process.env.ALL_LOOKS
  ? ([light, { ...light, width: 360 }, dark, { ...dark, width: 1280 }] as const)
  : ([light, dark] as const)

/** The settings of a page in a look. */
export const seenAs = ({ colorScheme, width }: (typeof looks)[number]) => ({
  colorScheme,
  viewport: { width, height: 800 },
})
