/** The form of a department's code, which is in addresses: `/add-ticket/billing`. */
export const departmentCode = /^[a-z][a-z0-9-]{1,29}$/
