/** How long a member of staff sees an account as its owner does before they have to ask again. */
export const viewMinutes = 30
