import type { Field } from '#entities/define/field.ts'

import { fieldOf, type Placed } from '#server/modules/transfer/imports/import-columns.ts'
import { issueSentence, sentenceOf } from '#server/modules/transfer/imports/problems.ts'
import { readCell, textOfCell } from '#server/modules/transfer/imports/read-cell.ts'
import { type Cell, isCutNumber } from '#server/platform/sheets/sheet-reader.ts'
import { type Draft, isReference, type Planning, type Warn, type Wrong } from './planning.ts'
import { reword } from './rewording.ts'

/** Reads the cells of a line into the draft; references stay texts until they are resolved. */
export function readLine(planning: Planning, draft: Draft, wrong: Wrong, warn: Warn) {
  for (const [key, columns] of planning.byField) {
    const field = fieldOf(planning.entity, key)
    const cut = columns.find(({ index }) => isCutNumber(draft.line.cells[index] ?? ''))
    if (cut) wrong(draft, key, sentenceOf({ key: 'number_cut' }), cut)
    else if (isReference(field)) readReference(draft, key, field, columns)
    else readValue(planning, draft, key, columns[0]!, { wrong, warn })
  }
  assumeAbsentColumns(planning, draft)
}

function readReference(draft: Draft, key: string, field: Field, columns: readonly Placed[]) {
  // A code is more precise than a name.
  const ordered = [...columns].sort((a, b) => Number(b.part === 'code') - Number(a.part === 'code'))
  const placed = ordered.find(({ index }) => textOfCell(draft.line.cells[index]) !== '') ?? ordered[0]!
  const text = textOfCell(draft.line.cells[placed.index])
  const texts = field.kind === 'multiReference' ? text.split(/[;\n]/) : [text]
  const names = texts.map((name) => reword(name.trim(), placed.profile)).filter((one) => one !== '')
  if (names.length > 0) draft.references.set(key, { texts: names, placed })
  else if (placed.profile?.otherwise) {
    draft.references.set(key, { texts: [placed.profile.otherwise], placed })
    draft.assumed.add(key)
  } else if (field.optional) draft.input[key] = field.kind === 'multiReference' ? [] : null
}

type Tell = { wrong: Wrong; warn: Warn }

function readValue(planning: Planning, draft: Draft, key: string, placed: Placed, { wrong, warn }: Tell) {
  const { entity, schema, timeZone } = planning
  const field = fieldOf(entity, key)
  const cell = cellOf(draft, key, placed)
  if (cell === '') {
    if (field.optional) draft.input[key] = null
    return
  }
  const read = readCell(field, cell, timeZone)
  if ('fault' in read) return wrong(draft, key, sentenceOf(read.fault))
  if (key === 'active') {
    draft.input.active = read.value
    return
  }
  const type = schema[key]!
  const parsed = type.safeParse(read.value, { reportInput: true })
  if (parsed.success) {
    draft.input[key] = parsed.data
    const mayLackZeros = typeof cell === 'number' && isIdentity(field) && type.safeParse(`0${cell}`).success
    if (mayLackZeros) warn(draft, key, sentenceOf({ key: 'zeros_lost' }))
  } else for (const issue of parsed.error.issues) wrong(draft, key, issueSentence(issue, field))
}

/** Whether the text identifies something, so that leading zeros matter. */
const isIdentity = (field: Field) =>
  field.kind === 'code' || (field.kind === 'text' && (field.pattern !== undefined || field.unique === true))

/** Rewords the cell by the profile; an empty cell gets the profile's default. */
function cellOf(draft: Draft, key: string, { index, profile }: Placed): Cell {
  const cell = draft.line.cells[index] ?? ''
  const text = profile ? reword(textOfCell(cell), profile) : cell
  if (textOfCell(text) !== '') return text
  const assumed = profile?.otherwise ?? ''
  if (assumed !== '') draft.assumed.add(key)
  return assumed
}

/** Fills in the profile's defaults for columns the sheet lacks. */
function assumeAbsentColumns({ entity, understood, byField, timeZone }: Planning, draft: Draft) {
  for (const [key, { otherwise }] of Object.entries(understood.profile?.columns ?? {})) {
    if (byField.has(key) || otherwise === undefined || key in draft.input) continue
    const field = fieldOf(entity, key)
    draft.assumed.add(key)
    if (isReference(field)) draft.references.set(key, { texts: [otherwise], placed: undefined })
    else {
      const read = readCell(field, otherwise, timeZone)
      if ('value' in read) draft.input[key] = read.value
    }
  }
}
