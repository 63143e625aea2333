/** What was typed or pasted at once, as the texts of single chips. */
const chipsOf = (text: string): string[] => text.split(/[,;\s]+/).filter(Boolean)

/** What was typed beside the chips, as chips too. */
export const withTyped = (chips: readonly string[], typed: string): string[] => [
  ...new Set([...chips, ...chipsOf(typed)]),
]
