/** Splits typed or pasted text into chips. */
const chipsOf = (text: string): string[] => text.split(/[,;\s]+/).filter(Boolean)

/** The chips, including the text that is still being typed. */
export const withTyped = (chips: readonly string[], typed: string): string[] => [
  ...new Set([...chips, ...chipsOf(typed)]),
]
