/** The roles that an invitation and a change of role can give. That of an administrator needs a second person. */
export const givenRoles = ['support', 'billing', 'readonly'] as const

/** All roles of staff. */
export const staffRoles = [...givenRoles, 'admin'] as const
