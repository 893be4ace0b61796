import { z } from 'zod'
import { typedLine } from '#entities/define/typed-text.ts'
import { dateFormats } from './statement-lines.ts'

const column = z.int().min(0).max(99)

export const encodings = ['auto', 'utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const

/** How a bank's CSV files are read. Columns count from 0. */
export const statementMapping = z.strictObject({
  /** `auto` detects the encoding of each file. Mappings older than this setting have none. */
  encoding: z.enum(encodings).default('auto'),
  delimiter: z.enum([',', ';', '\t', '|']),
  /** Line of the headings, counted from 1; 0 if there are none. */
  headerLine: z.int().min(0).max(50),
  /** Headings of that line when the mapping was saved, to detect moved columns. */
  header: z.array(z.string().max(200)).max(100),
  date: column,
  dateFormat: z.enum(dateFormats),
  description: z.array(column).min(1).max(5),
  reference: column.nullable(),
  amount: z.discriminatedUnion('kind', [
    /** One column with a sign, or with CR or DB after the number. */
    z.strictObject({ kind: z.literal('signed'), column }),
    z.strictObject({ kind: z.literal('two'), credit: column, debit: column }),
    /** One column for the number, another for its direction. */
    z.strictObject({
      kind: z.literal('marked'),
      column,
      mark: column,
      creditMark: typedLine().min(1).max(20),
      debitMark: typedLine().min(1).max(20),
    }),
  ]),
  balance: column.nullable(),
  decimal: z.enum([',', '.']),
  thousands: z.enum(['.', ',', ' ', "'", '']),
  /** Lines starting with one of these texts are not transfers, such as totals at the end. */
  skip: z.array(typedLine().min(1).max(60)).max(20),
})
export type StatementMapping = z.output<typeof statementMapping>
