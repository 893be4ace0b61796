import type { ControlledTransaction } from 'kysely'
import type { Entity } from '#entities/define/entity.ts'
import type { Database } from '#server/platform/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { refusalOf } from '#server/resource/refusals.ts'
import type { PlannedRow } from './plan-rows.ts'
import { type Problem, sentenceOf, sentencesOf } from './problems.ts'
import { type WriteBy, writeRows } from './write-rows.ts'

/** Writes a batch; when the database refuses it, finds out which rows it refuses and why. */
export async function tryToWrite(
  tx: ControlledTransaction<Database>,
  entity: Entity,
  planned: PlannedRow[],
  by: WriteBy,
) {
  const rows = planned.filter(({ action }) => action !== 'unchanged')
  if (rows.length === 0) return []
  if (!(await refusedBy(tx, entity, rows, by))) return []
  const problems: Problem[] = []
  for (const row of rows) {
    const refused = await refusedBy(tx, entity, [row], by)
    if (refused) problems.push({ row: row.number, header: null, value: null, ...refused })
  }
  return problems
}

type Refusal = Pick<Problem, 'field' | 'reason'>

async function refusedBy(
  tx: ControlledTransaction<Database>,
  entity: Entity,
  rows: PlannedRow[],
  by: WriteBy,
): Promise<Refusal | null> {
  const saved = await tx.savepoint('batch').execute()
  try {
    await writeRows(saved, entity, rows, by)
    await saved.releaseSavepoint('batch').execute()
    return null
  } catch (error) {
    await saved.rollbackToSavepoint('batch').execute()
    return explained(entity, error)
  }
}

/** Class 23 is a broken rule of the table, class 22 a value it cannot hold; anything else is no matter of the row. */
const ofTheRow = (error: unknown) =>
  error instanceof AppError || /^2[23]/.test(String((error as { code?: unknown }).code ?? ''))

function explained(entity: Entity, error: unknown): Refusal {
  if (!ofTheRow(error)) throw error
  if (error instanceof AppError) return { field: null, reason: sentenceOf({ key: 'changed_meanwhile' }) }
  const [told] = sentencesOf(refusalOf(entity, error) ?? {})
  return told ?? { field: null, reason: sentenceOf({ key: 'refused' }) }
}
