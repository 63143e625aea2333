/** The codes of departments in addresses: `/add-ticket/billing`. */
export const ticketDepartmentCodes = ['technical', 'billing', 'sales', 'abuse'] as const
