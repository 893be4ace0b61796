import { z } from 'zod'
import { statementMapping } from './statement-mapping.ts'

const column = z.int().nullable()

/** An unfinished mapping: columns may still be missing. */
export const mappingDraft = statementMapping
  .pick({
    encoding: true,
    delimiter: true,
    headerLine: true,
    dateFormat: true,
    reference: true,
    balance: true,
    decimal: true,
    thousands: true,
    skip: true,
  })
  .extend({
    date: column,
    description: z.array(z.int()),
    kind: z.enum(['signed', 'two', 'marked']),
    amount: column,
    credit: column,
    debit: column,
    mark: column,
    creditMark: z.string(),
    debitMark: z.string(),
  })
export type MappingDraft = z.output<typeof mappingDraft>
