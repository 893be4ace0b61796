import type { Placed } from '#server/modules/transfer/imports/import-columns.ts'
import { inBothLanguages, type Problem, type Sentence, sentenceOf } from '#server/modules/transfer/imports/problems.ts'
import { textOfCell } from '#server/modules/transfer/imports/read-cell.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type SheetLine, wrongWidth } from '#server/platform/sheets/sheet-reader.ts'
import { sentences } from '#server/platform/text.ts'
import { decideRow, findStored, type PlannedRow } from './decide-row.ts'
import {
  type Draft,
  draftOf,
  type Input,
  type Planning,
  type PlanOptions,
  preparePlanning,
  type Warn,
  type Wrong,
} from './planning.ts'
import { readLine } from './read-line.ts'
import { resolveReferences } from './resolve-references.ts'
import { findIdsByKey, keyOf } from './row-keys.ts'

/** Returns a function that plans a batch of lines and lists every problem in it. */
export function makeRowPlanner(options: PlanOptions) {
  const planning = preparePlanning(options)
  return (db: Db, lines: readonly SheetLine[]) => planBatch(planning, db, lines)
}

async function planBatch(planning: Planning, db: Db, lines: readonly SheetLine[]) {
  const problems: Problem[] = []
  const wrong: Wrong = (draft, field, reason, placed) => {
    draft.wrong = true
    problems.push({ level: 'problem', ...problemIn(planning, draft, field, reason, placed) })
  }
  const warn: Warn = (draft, field, reason) => {
    problems.push({ level: 'warning', ...problemIn(planning, draft, field, reason) })
  }

  const drafts = lines.map(draftOf).filter((draft) => {
    const width = planning.headings && wrongWidth(planning.headings, draft.line)
    if (width) wrong(draft, null, sentenceOf({ key: 'cells', params: width }))
    return !width
  })
  for (const draft of drafts) readLine(planning, draft, wrong, warn)
  for (const key of planning.referenceKeys) await resolveReferences(planning, db, key, drafts, wrong)
  for (const draft of drafts) placeBelowParent(planning, draft, wrong)
  const stored = await findStored(planning, db, drafts)
  const planned = drafts.map((draft) => decideRow(planning, draft, stored, wrong)).filter((row) => row !== null)
  return { planned: await refuseTakenKeys(planning, db, planned, drafts, wrong), problems }
}

/** Maximum characters of a cell's text in a problem. */
const maxValueLength = 200

function problemIn(
  { byField }: Planning,
  { line }: Draft,
  field: string | null,
  reason: Sentence,
  placed?: Placed,
): Omit<Problem, 'level'> {
  const column = placed ?? (field ? byField.get(field)?.[0] : undefined)
  const cell = column ? textOfCell(line.cells[column.index]) : ''
  return {
    row: line.number,
    field,
    header: column?.header ?? null,
    value: cell.slice(0, maxValueLength) || null,
    reason,
  }
}

/** Sets the parent if the sheet was uploaded below one. */
function placeBelowParent({ entity, parentId }: Planning, draft: Draft, wrong: Wrong) {
  const parentField = entity.parent?.field
  if (!parentId || !parentField) return
  const namedParent = draft.input[parentField]
  if (typeof namedParent === 'string' && namedParent !== parentId)
    wrong(draft, parentField, sentenceOf({ key: 'other_parent' }))
  draft.input[parentField] = parentId
}

/** Refuses rows whose key or combination belongs to another stored row. */
async function refuseTakenKeys(
  { entity, keys }: Planning,
  db: Db,
  planned: readonly PlannedRow[],
  drafts: readonly Draft[],
  wrong: Wrong,
) {
  let accepted = planned
  for (const key of keys.slice(1)) {
    const after = (row: PlannedRow): Input => ({ ...row.before, ...row.input })
    const keyTexts = accepted.filter((row) => row.action !== 'unchanged').map((row) => keyOf(key, after(row)))
    const owners = await findIdsByKey(db, entity, key, keyTexts)
    accepted = accepted.filter((row) => {
      const owner = owners.get(keyOf(key, after(row)))
      if (row.action === 'unchanged' || !owner || owner === row.id) return true
      const draft = drafts.find(({ line }) => line.number === row.number)!
      wrong(
        draft,
        key.fields[0]!,
        inBothLanguages((l) => sentences(l)(`errors:${key.single !== null ? 'already_exists' : 'combination_exists'}`)),
      )
      return false
    })
  }
  return accepted
}
