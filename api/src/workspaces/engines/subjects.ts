/** By what name engines know a person. */
export const subjectOf = (clientId: number): string => `client-${clientId}`

/** The same of a member of staff whom a client has let in. */
export const staffSubjectOf = (adminId: number): string => `staff-${adminId}`
