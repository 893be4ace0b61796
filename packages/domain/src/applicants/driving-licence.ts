/** Classes of an Indonesian driving licence (SIM). */
export const licenceClasses = ['A', 'A Umum', 'B1', 'B2', 'C', 'C1', 'C2', 'D'] as const
export const licenceStatuses = ['uploaded', 'approved', 'rejected'] as const
