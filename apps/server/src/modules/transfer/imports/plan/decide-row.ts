import crypto from 'node:crypto'
import { mustGet } from '#domain/must.ts'
import type { Field } from '#entities/define/field.ts'

import type { Row } from '#entities/define/row.ts'
import { problemsOf } from '#entities/define/rules.ts'
import { fieldOf } from '#server/modules/transfer/imports/import-columns.ts'
import { inBothLanguages, sentenceOf, sentencesOf } from '#server/modules/transfer/imports/problems.ts'
import type { Db } from '#server/platform/database/database.ts'
import { sentences } from '#server/platform/text.ts'
import { findFormerCodes } from './former-codes.ts'
import { type Draft, type Input, identityOf, isFilledIn, type Planning, type Wrong, withDefaults } from './planning.ts'
import { findRowsByKey, keyOf } from './row-keys.ts'

/** Plan for a line. `input` has the sheet's fields; for a new row, all fields. */
export type PlannedRow = {
  number: number
  action: 'new' | 'changed' | 'unchanged'
  id: string
  input: Input
  before?: Row
}

/** Stored rows by identity, for a batch. */
type Stored = { rows: ReadonlyMap<string, Row>; mergedInto: ReadonlyMap<string, string> }

/** Loads the rows that drafts refer to, and rows that others were merged into. */
export async function findStored(planning: Planning, db: Db, drafts: readonly Draft[]): Promise<Stored> {
  const { entity, identity } = planning
  const codes = drafts.map((draft) => identityOf(planning, draft)).filter((code) => code !== undefined)
  return {
    rows: await findRowsByKey(db, entity, identity, [...new Set(codes)]),
    mergedInto: await findFormerCodes(db, entity, codes),
  }
}

/** Decides whether a draft is a new row, a changed one or unchanged; null if it has a problem. */
export function decideRow(planning: Planning, draft: Draft, stored: Stored, wrong: Wrong): PlannedRow | null {
  const { number } = draft.line
  const code = identityOf(planning, draft)
  const before = code === undefined ? undefined : stored.rows.get(code)
  // The row was merged into another one, so a line with its former code changes nothing.
  const mergedInto = before || code === undefined ? undefined : stored.mergedInto.get(code)
  if (mergedInto) return draft.wrong ? null : { number, action: 'unchanged', id: mergedInto, input: {} }
  if (before) for (const key of draft.assumed) delete draft.input[key]
  const after = before ? { ...before, ...draft.input } : withDefaults(planning, draft.input)

  refuseInactive(planning, draft, before, wrong)
  if (!before) refuseEmptyRequired(planning, draft, wrong)
  refuseBrokenRules(planning, draft, after, wrong)
  refuseTwiceInFile(planning, draft, after, wrong)
  refuseOutside(planning, draft, before, after, wrong)
  if (draft.wrong) return null

  // UUIDv7 sorts by creation time, and indexes take ordered keys fastest.
  if (!before) return { number, action: 'new', id: crypto.randomUUIDv7(), input: after }
  const changed = isChanged(planning, draft, before)
  if (changed && !planning.mayUpdate) {
    wrong(draft, null, sentenceOf({ key: 'may_not_change' }))
    return null
  }
  return { number, action: changed ? 'changed' : 'unchanged', id: before.id, input: draft.input, before }
}

/** Refuses new references to inactive rows; a stored reference may stay. */
function refuseInactive({ referenceKeys }: Planning, draft: Draft, before: Row | undefined, wrong: Wrong) {
  for (const key of referenceKeys)
    if (draft.inactive.has(key) && JSON.stringify(before?.[key]) !== JSON.stringify(draft.input[key]))
      wrong(draft, key, sentenceOf({ key: 'inactive' }))
}

function refuseEmptyRequired(planning: Planning, draft: Draft, wrong: Wrong) {
  for (const [key, { label }] of planning.required) {
    // An unreadable cell has its problem already.
    const hasProblem = draft.wrong && isFilledIn(planning, draft, key)
    if (key in draft.input || hasProblem) continue
    wrong(
      draft,
      key,
      inBothLanguages((l) => sentences(l)('transfer:problem.required', { field: label[l] })),
    )
  }
}

/** Checks rules between fields, as the form does. */
function refuseBrokenRules({ entity }: Planning, draft: Draft, after: Input, wrong: Wrong) {
  const en = sentencesOf(problemsOf(entity, after, 'en'))
  if (en.length === 0) return
  const id = sentencesOf(problemsOf(entity, after, 'id'))
  for (const [i, { field, reason }] of en.entries()) wrong(draft, field, { en: reason.en, id: id[i]!.reason.id })
}

/** Refuses a key that an earlier line of the file has. */
function refuseTwiceInFile(planning: Planning, draft: Draft, after: Input, wrong: Wrong) {
  const { keys, identity, firstLines, byField } = planning
  for (const key of keys) {
    if (!key.fields.every((field) => field in draft.input || after[field] !== undefined)) continue
    if (key.single !== null && (after[key.single] ?? null) === null) continue
    // A cell that was filled in but could not be read may make the key different.
    if (key.fields.some((field) => !(field in draft.input) && isFilledIn(planning, draft, field))) continue
    const text = keyOf(key, after)
    const linesOfKey = mustGet(firstLines, key)
    const firstLine = linesOfKey.get(text)
    if (firstLine === undefined) linesOfKey.set(text, draft.line.number)
    else if (!draft.wrong || key === identity)
      wrong(
        draft,
        key.fields.find((field) => byField.get(field)?.[0]?.header) ?? null,
        sentenceOf({ key: 'twice_in_file', params: { row: firstLine } }),
      )
  }
}

/** Refuses rows of another parent, and rows outside the role's faculties and programmes. */
function refuseOutside(planning: Planning, draft: Draft, before: Row | undefined, after: Input, wrong: Wrong) {
  const { entity, parentId, limits } = planning
  if (before && parentId && before[entity.parent!.field] !== parentId)
    wrong(draft, null, sentenceOf({ key: 'belongs_elsewhere' }))
  if (limits && [before, after].some((row) => row && !limits.has(String(row[entity.scope!.field]))))
    wrong(
      draft,
      null,
      inBothLanguages((language) => sentences(language)('errors:outside_scope')),
    )
}

const isChanged = ({ entity }: Planning, { input }: Draft, before: Row) =>
  Object.keys(input).some((key) => {
    const field = fieldOf(entity, key)
    return comparable(field, input[key]) !== comparable(field, before[key])
  })

const comparable = (field: Field, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  // Sheets store times to the second.
  if (field.kind === 'dateTime') return Math.floor(Date.parse(String(value)) / 1000)
  if (Array.isArray(value)) return JSON.stringify(field.kind === 'moneyList' ? value : [...value].sort())
  return value
}
