import { z } from 'zod'

/** Query of a file besides filters; `columns` are comma-separated keys. */
export const fileQueryShape = () => ({
  format: z.enum(['xlsx', 'csv', 'pdf']).default('xlsx'),
  columns: z.string().max(2000).optional(),
})
