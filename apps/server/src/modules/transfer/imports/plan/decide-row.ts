import crypto from 'node:crypto'
import type { Field } from '#entities/define/field.ts'

import type { Row } from '#entities/define/row.ts'
import { problemsOf } from '#entities/define/rules.ts'
import { fieldOf } from '#server/modules/transfer/imports/import-columns.ts'
import { inBoth, sentenceOf, sentencesOf } from '#server/modules/transfer/imports/problems.ts'
import type { Db } from '#server/platform/database/database.ts'
import { sentences } from '#server/platform/text.ts'
import { formerCodes } from './former-codes.ts'
import { type Draft, type Input, identityOf, isFilledIn, type Planning, type Wrong, withDefaults } from './planning.ts'
import { keyOf, rowsByKey } from './row-keys.ts'

/** What will become of one line. `input` holds the fields the sheet tells; of a new row, all of them. */
export type PlannedRow = {
  number: number
  action: 'new' | 'changed' | 'unchanged'
  id: string
  input: Input
  before?: Row
}

/** What the database has of the identities that a batch names. */
type Stored = { rows: ReadonlyMap<string, Row>; mergedInto: ReadonlyMap<string, string> }

/** Reads the rows that the drafts mean, and the rows that others were merged into. */
export async function findStored(planning: Planning, db: Db, drafts: readonly Draft[]): Promise<Stored> {
  const { entity, identity } = planning
  const codes = drafts.map((draft) => identityOf(planning, draft)).filter((code) => code !== undefined)
  return {
    rows: await rowsByKey(db, entity, identity, [...new Set(codes)]),
    mergedInto: await formerCodes(db, entity, codes),
  }
}

/** Decides whether a draft is a new row, a change or nothing; null when something is wrong with it. */
export function decideRow(planning: Planning, draft: Draft, stored: Stored, wrong: Wrong): PlannedRow | null {
  const { number } = draft.line
  const code = identityOf(planning, draft)
  const before = code === undefined ? undefined : stored.rows.get(code)
  // Somebody decided that this is another row by now: what a list still says of it changes nothing.
  const mergedInto = before || code === undefined ? undefined : stored.mergedInto.get(code)
  if (mergedInto) return draft.wrong ? null : { number, action: 'unchanged', id: mergedInto, input: {} }
  if (before) for (const key of draft.assumed) delete draft.input[key]
  const after = before ? { ...before, ...draft.input } : withDefaults(planning, draft.input)

  refuseInactive(planning, draft, before, wrong)
  if (!before) refuseEmptyRequired(planning, draft, wrong)
  checkRules(planning, draft, after, wrong)
  refuseTwiceInFile(planning, draft, after, wrong)
  refuseOutside(planning, draft, before, after, wrong)
  if (draft.wrong) return null

  // In the order they are made, which is the order indexes take them in fastest.
  if (!before) return { number, action: 'new', id: crypto.randomUUIDv7(), input: after }
  const changed = isChanged(planning, draft, before)
  if (changed && !planning.mayUpdate) {
    wrong(draft, null, sentenceOf({ key: 'may_not_change' }))
    return null
  }
  return { number, action: changed ? 'changed' : 'unchanged', id: before.id, input: draft.input, before }
}

/** A row may keep an inactive row it names already; it may not begin to name one. */
function refuseInactive({ referenceKeys }: Planning, draft: Draft, before: Row | undefined, wrong: Wrong) {
  for (const key of referenceKeys)
    if (draft.inactive.has(key) && JSON.stringify(before?.[key]) !== JSON.stringify(draft.input[key]))
      wrong(draft, key, sentenceOf({ key: 'inactive' }))
}

function refuseEmptyRequired(planning: Planning, draft: Draft, wrong: Wrong) {
  for (const [key, { label }] of planning.required) {
    // A cell that could not be read has its own problem; that the field is empty now needs no second one.
    const hasProblem = draft.wrong && isFilledIn(planning, draft, key)
    if (key in draft.input || hasProblem) continue
    wrong(
      draft,
      key,
      inBoth((l) => sentences(l)('transfer:problem.required', { field: label[l] })),
    )
  }
}

/** Rules between fields, as the form checks them. */
function checkRules({ entity }: Planning, draft: Draft, after: Input, wrong: Wrong) {
  const en = sentencesOf(problemsOf(entity, after, 'en'))
  if (en.length === 0) return
  const id = sentencesOf(problemsOf(entity, after, 'id'))
  for (const [i, { field, reason }] of en.entries()) wrong(draft, field, { en: reason.en, id: id[i]!.reason.id })
}

/** Refuses a key that an earlier line of the file has. */
function refuseTwiceInFile(planning: Planning, draft: Draft, after: Input, wrong: Wrong) {
  const { keys, identity, firstLines, byField } = planning
  for (const [at, key] of keys.entries()) {
    if (!key.fields.every((field) => field in draft.input || after[field] !== undefined)) continue
    if (key.single && (after[key.fields[0]!] ?? null) === null) continue
    const text = keyOf(key, after)
    const first = firstLines[at]!.get(text)
    if (first === undefined) firstLines[at]!.set(text, draft.line.number)
    else if (!draft.wrong || key === identity)
      wrong(
        draft,
        key.fields.find((field) => byField.get(field)?.[0]?.header) ?? null,
        sentenceOf({ key: 'twice_in_file', params: { row: first } }),
      )
  }
}

/** Refuses rows of another parent, and rows outside the faculties and programmes of the role. */
function refuseOutside(planning: Planning, draft: Draft, before: Row | undefined, after: Input, wrong: Wrong) {
  const { entity, parentId, limits } = planning
  if (before && parentId && before[entity.parent!.field] !== parentId)
    wrong(draft, null, sentenceOf({ key: 'belongs_elsewhere' }))
  if (limits && [before, after].some((row) => row && !limits.has(String(row[entity.scope!.field]))))
    wrong(
      draft,
      null,
      inBoth((language) => sentences(language)('errors:outside_scope')),
    )
}

const isChanged = ({ entity }: Planning, { input }: Draft, before: Row) =>
  Object.keys(input).some((key) => {
    const field = fieldOf(entity, key)
    return comparable(field, input[key]) !== comparable(field, before[key])
  })

const comparable = (field: Field, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  if (field.kind === 'dateTime') return Date.parse(String(value))
  if (Array.isArray(value)) return JSON.stringify(field.kind === 'moneyList' ? value : [...value].sort())
  return value
}
