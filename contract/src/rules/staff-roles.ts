/** The roles that an invitation and a change of role can give. Administrators are made by a command on the server. */
export const givenRoles = ['support', 'billing', 'readonly'] as const
