import { type ExpressionBuilder, sql } from 'kysely'
import type { Reader } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { contains, type Database, type Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import type { Problem, Sentence } from './problems.ts'

/** Problems of workbooks name a sheet, those of workbooks and scores the letter of a column. */
type StoredProblem = Partial<Omit<Problem, 'row'> & { sheet: string; letter: string | null }> & {
  row: number | null
  reason: Sentence
}

/** Rows per statement; binding more would block other requests. */
const rowsAtOnce = 500

/** Stores problems in this order, numbered on from `stored`. */
export async function storeProblems(
  db: Db,
  importId: string,
  problems: readonly StoredProblem[],
  stored = 0,
): Promise<void> {
  for (let start = 0; start < problems.length; start += rowsAtOnce)
    await db
      .insertInto('importProblems')
      .values(
        problems.slice(start, start + rowsAtOnce).map(({ reason, ...problem }, index) => ({
          ...problem,
          ...{ importId, number: stored + start + index + 1, reasonEn: reason.en, reasonId: reason.id },
        })),
      )
      .execute()
}

const reasonColumns = { en: 'p.reasonEn', id: 'p.reasonId' } as const

const problemsIn = (db: Db) => db.selectFrom('importProblems as p').innerJoin('imports as i', 'i.id', 'p.importId')

type Joined = Database & { p: Database['importProblems']; i: Database['imports'] }
type LanguageReader = { language: Reader['language'] }

/** What every list of the problems of one import has; `getRecord` refuses readers who may not see the import. */
export const problemsOf = (
  { db }: Services,
  getRecord: (db: Db, actor: Actor, id: string) => Promise<{ id: string }>,
) => ({
  from: () => problemsIn(db),
  scope: async ({ actor, params }: Reader & { params: { id: string } }) => {
    const { id } = await getRecord(db, actor, params.id)
    return (eb: ExpressionBuilder<Joined, 'p'>) => eb('p.importId', '=', id)
  },
  columns: (rows: ReturnType<typeof problemsIn>, { language }: LanguageReader) =>
    rows
      .select(['p.number', 'p.level', 'p.field', 'p.letter', 'p.header', 'p.value', 'i.entity'])
      // Only workbooks have problems without a row, and only they name a sheet.
      .select((eb) => [
        eb.ref('p.row').$notNull().as('row'),
        eb.ref('p.sheet').$notNull().as('sheet'),
        eb.ref(reasonColumns[language]).as('reason'),
      ]),
  id: sql`p.number`,
  idType: 'bigint' as const,
  exact: true as const,
})

export const problemOrder = { by: sql`p.number`, type: 'integer' } as const

/** Problems with these words in their sentence, sheet, heading or value. */
export const problemsWith =
  (q: string, { language }: LanguageReader) =>
  (eb: ExpressionBuilder<Joined, 'p'>) =>
    eb.or([
      contains(reasonColumns[language], q),
      contains('p.sheet', q),
      contains('p.header', q),
      contains('p.value', q),
    ])
