/** The tickets of a department that a staff member is notified of: all, those assigned to them, or none. */
export const followChoices = ['all', 'mine', 'none'] as const

/** The channels: e-mail, and the portal. */
export const newsWays = ['letter', 'portal'] as const
