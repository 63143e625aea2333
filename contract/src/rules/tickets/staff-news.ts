/** Of which tickets of a department a member of staff gets news: all, those assigned to them, or none. */
export const followChoices = ['all', 'mine', 'none'] as const

/** How news reaches them: by e-mail, and in the portal. */
export const newsWays = ['letter', 'portal'] as const
