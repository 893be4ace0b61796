import crypto from 'node:crypto'
import type { z } from 'zod'
import type { ProfileColumn } from '#domain/transfer/profiles.ts'
import type { Entity } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import type { Row } from '#entities/define/row.ts'
import { problemsOf } from '#entities/define/rules.ts'
import { createSchema } from '#entities/define/schema.ts'
import { getEntity } from '#entities/index.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { SheetLine } from '#server/platform/sheets/sheet-reader.ts'
import { sentences } from '#server/platform/text.ts'
import { type Finder, type Found, finderOf } from './find-references.ts'
import { formerCodes } from './former-codes.ts'
import { fieldOf, type Placed, type Understood } from './import-columns.ts'
import { inBoth, issueSentence, type Problem, type Sentence, sentenceOf, sentencesOf } from './problems.ts'
import { type Fault, readCell, textOfCell } from './read-cell.ts'
import { idsByKey, keyOf, type RowKey, rowKeysOf, rowsByKey } from './row-keys.ts'

type Input = Record<string, unknown>
/** What will become of one line. `input` holds the fields the sheet tells; of a new row, all of them. */
export type PlannedRow = {
  number: number
  action: 'new' | 'changed' | 'unchanged'
  id: string
  input: Input
  before?: Row
}

export type PlanOptions = {
  entity: Entity
  understood: Understood
  parentId: string | null
  mayUpdate: boolean
  /** Ids the role is limited to, in the field that says whose a row is. */
  limits: ReadonlySet<string> | null
  timeZone: string
}

/** What a profile knows of one column, made ready once for all rows. */
type Rewording = { replace: { pattern: RegExp; with: string }[]; values: Map<string, string> }
const rewordings = new WeakMap<object, Rewording>()

function rewordingOf(told: Pick<ProfileColumn, 'replace' | 'values'>): Rewording {
  const known = rewordings.get(told) ?? {
    replace: (told.replace ?? []).map(({ pattern, with: by }) => ({ pattern: new RegExp(pattern, 'gi'), with: by })),
    values: new Map(Object.entries(told.values ?? {}).map(([written, meant]) => [written.toLowerCase(), meant])),
  }
  rewordings.set(told, known)
  return known
}

function reworded(text: string, told: Pick<ProfileColumn, 'replace' | 'values'> | undefined): string {
  if (!told) return text
  const { replace, values } = rewordingOf(told)
  const changed = replace.reduce((result, { pattern, with: by }) => result.replace(pattern, by), text)
  return values.get(changed.toLowerCase()) ?? changed
}

const comparable = (field: Field, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  if (field.kind === 'dateTime') return Date.parse(String(value))
  if (Array.isArray(value)) return JSON.stringify(field.kind === 'moneyList' ? value : [...value].sort())
  return value
}

type Draft = {
  line: SheetLine
  input: Input
  references: Map<string, { texts: string[]; placed: Placed | undefined }>
  /** Fields the sheet does not tell and a profile fills in; they leave a row that exists as it is. */
  assumed: Set<string>
  wrong: boolean
}

type Wrong = (draft: Draft, field: string | null, reason: Sentence, placed?: Placed) => void

const isReference = ({ kind }: Field) => kind === 'reference' || kind === 'multiReference'

/** Turns lines of a sheet into rows, a thousand at a time, and tells everything that is wrong with them. */
export function rowPlanner({ entity, understood, parentId, mayUpdate, limits, timeZone }: PlanOptions) {
  const schema = createSchema(entity).shape as Record<string, z.ZodType>
  const keys = rowKeysOf(entity)
  const [identity] = keys as [RowKey]
  /** Keys told in the file so far, each with the line that told it first. */
  const told = keys.map(() => new Map<string, number>())
  const parentField = entity.parent?.field
  const byField = Map.groupBy(understood.columns, ({ fieldKey }) => fieldKey)
  const provided = new Set(byField.keys())
  const headerOf = (key: string) => byField.get(key)?.[0]?.header ?? null
  /** Those that narrow others come first: a city before its districts. */
  const referenceKeys = [...new Set([...byField.keys(), ...Object.keys(understood.profile?.columns ?? {})])]
    .filter((key) => isReference(fieldOf(entity, key)))
    .sort((a, b) => Number('within' in fieldOf(entity, a)) - Number('within' in fieldOf(entity, b)))
  const finders = new Map<string, Finder>()
  const required = Object.entries(entity.fields).filter(
    ([key, field]) =>
      !field.optional && !('default' in field && field.default !== undefined) && !(parentId && key === parentField),
  )

  function finder(db: Db, slug: string) {
    const known = finders.get(slug) ?? finderOf(db, getEntity(slug))
    finders.set(slug, known)
    return known
  }

  function readLine(draft: Draft, wrong: Wrong) {
    for (const [key, columns] of byField) {
      const field = fieldOf(entity, key)
      if (isReference(field)) {
        // A code says it better than a name.
        const ordered = [...columns].sort((a, b) => Number(b.part === 'code') - Number(a.part === 'code'))
        const placed = ordered.find(({ index }) => textOfCell(draft.line.cells[index]) !== '') ?? ordered[0]!
        const text = textOfCell(draft.line.cells[placed.index])
        const texts = field.kind === 'multiReference' ? text.split(/[;\n]/) : [text]
        const wanted = texts.map((one) => reworded(one.trim(), placed.profile)).filter((one) => one !== '')
        if (wanted.length > 0) draft.references.set(key, { texts: wanted, placed })
        else if (placed.profile?.otherwise) {
          draft.references.set(key, { texts: [placed.profile.otherwise], placed })
          draft.assumed.add(key)
        } else if (field.optional) draft.input[key] = field.kind === 'multiReference' ? [] : null
        continue
      }
      const [placed] = columns as [Placed]
      const cell = draft.line.cells[placed.index] ?? ''
      const text = placed.profile ? reworded(textOfCell(cell), placed.profile) : cell
      const told = textOfCell(text) !== ''
      const given = told ? text : (placed.profile?.otherwise ?? '')
      if (!told && given !== '') draft.assumed.add(key)
      if (given === '') {
        if (field.optional) draft.input[key] = null
        continue
      }
      const read = readCell(field, given, timeZone)
      if ('fault' in read) wrong(draft, key, sentenceOf(read.fault))
      else if (key === 'active') draft.input.active = read.value
      else {
        const parsed = schema[key]!.safeParse(read.value, { reportInput: true })
        if (parsed.success) draft.input[key] = parsed.data
        else for (const issue of parsed.error.issues) wrong(draft, key, issueSentence(issue, field))
      }
    }
    for (const [key, column] of Object.entries(understood.profile?.columns ?? {}))
      if (!provided.has(key) && column.otherwise !== undefined && !(key in draft.input)) {
        const field = fieldOf(entity, key)
        draft.assumed.add(key)
        if (isReference(field)) draft.references.set(key, { texts: [column.otherwise], placed: undefined })
        else {
          const read = readCell(field, column.otherwise, timeZone)
          if ('value' in read) draft.input[key] = read.value
        }
      }
  }

  async function resolve(db: Db, key: string, drafts: readonly Draft[], wrong: Wrong) {
    const field = fieldOf(entity, key)
    if (field.kind !== 'reference' && field.kind !== 'multiReference') return
    const target = getEntity(field.to)
    const search = finder(db, field.to)
    await search.prepare(drafts.flatMap((draft) => draft.references.get(key)?.texts ?? []))
    const aboveField = target.parent && target.fields[target.parent.field]
    const above = aboveField?.kind === 'reference' ? finder(db, aboveField.to) : undefined
    const aboveText = (draft: Draft) => {
      const placed = draft.references.get(key)?.placed
      return placed?.withinIndex === undefined
        ? ''
        : reworded(textOfCell(draft.line.cells[placed.withinIndex]), placed.profile?.within)
    }
    if (above) await above.prepare(drafts.map(aboveText).filter((text) => text !== ''))

    for (const draft of drafts) {
      const reference = draft.references.get(key)
      if (!reference) continue
      const inside = 'within' in field && field.within ? draft.input[field.within] : undefined
      const province = above && aboveText(draft) ? above.find(aboveText(draft)) : undefined
      const ids = typeof inside === 'string' ? [inside] : province && 'id' in province ? [province.id] : null
      const found = reference.texts.map((text) => search.find(text, ids ? { ids: new Set(ids) } : undefined))
      const faults = found.filter((one): one is Extract<Found, { fault: Fault }> => 'fault' in one)
      if (faults.length > 0) {
        if (reference.placed?.profile?.whenUnknown === 'empty' && field.optional) draft.input[key] = null
        // The names below a city that was not found itself need no second complaint.
        else if (!('within' in field && field.within && draft.wrong && !ids))
          for (const { fault } of faults) wrong(draft, key, sentenceOf(fault), reference.placed)
        continue
      }
      const rows = found as { id: string; active: boolean }[]
      draft.input[key] = field.kind === 'reference' ? rows[0]!.id : [...new Set(rows.map(({ id }) => id))]
      if (rows.some(({ active }) => !active)) draft.input[`${key} inactive`] = true
    }
  }

  function placeBelow(draft: Draft, wrong: Wrong) {
    const own = draft.input[parentField!]
    if (typeof own === 'string' && own !== parentId) wrong(draft, parentField!, sentenceOf({ key: 'other_parent' }))
    draft.input[parentField!] = parentId
  }

  const hasIdentity = (draft: Draft) =>
    identity.fields.every((key) => key in draft.input || fieldOf(entity, key).optional || !provided.has(key))

  const storedRows = (db: Db, drafts: readonly Draft[]) =>
    rowsByKey(db, entity, identity, [
      ...new Set(drafts.filter(hasIdentity).map((draft) => keyOf(identity, withDefaults(draft.input)))),
    ])

  type Known = { stored: ReadonlyMap<string, Row>; merged: ReadonlyMap<string, string> }

  function decide(draft: Draft, { stored, merged: into }: Known, wrong: Wrong): PlannedRow | null {
    const code = hasIdentity(draft) ? keyOf(identity, withDefaults(draft.input)) : undefined
    const before = code === undefined ? undefined : stored.get(code)
    // Somebody decided that this is another row by now: what a list still says of it changes nothing.
    const id = before || code === undefined ? undefined : into.get(code)
    if (id) return draft.wrong ? null : { number: draft.line.number, action: 'unchanged', id, input: {} }
    if (before) for (const key of draft.assumed) delete draft.input[key]
    for (const key of referenceKeys) {
      const inactive = draft.input[`${key} inactive`]
      delete draft.input[`${key} inactive`]
      if (inactive && JSON.stringify(before?.[key]) !== JSON.stringify(draft.input[key]))
        wrong(draft, key, sentenceOf({ key: 'inactive' }))
    }
    if (!before)
      for (const [key, field] of required)
        if (!(key in draft.input) && !problemAt(draft, key))
          wrong(
            draft,
            key,
            inBoth((l) => sentences(l)('transfer:problem.required', { field: field.label[l] })),
          )
    const merged = before ? { ...before, ...draft.input } : withDefaults(draft.input)
    checkRules(draft, merged, wrong)
    twiceInFile(draft, merged, wrong)
    if (before && parentId && before[parentField!] !== parentId)
      wrong(draft, null, sentenceOf({ key: 'belongs_elsewhere' }))
    if (limits && [before, merged].some((row) => row && !limits.has(String(row[entity.scope!.field]))))
      wrong(
        draft,
        null,
        inBoth((language) => sentences(language)('errors:outside_scope')),
      )
    if (draft.wrong) return null
    const { number } = draft.line
    // In the order they are made, which is the order indexes take them in fastest.
    if (!before) return { number, action: 'new', id: crypto.randomUUIDv7(), input: merged }
    const changed = Object.keys(draft.input).some(
      (key) => comparable(fieldOf(entity, key), draft.input[key]) !== comparable(fieldOf(entity, key), before[key]),
    )
    if (changed && !mayUpdate) {
      wrong(draft, null, sentenceOf({ key: 'may_not_change' }))
      return null
    }
    return { number, action: changed ? 'changed' : 'unchanged', id: before.id, input: draft.input, before }
  }

  /** A cell that could not be read has been told already; that its field is empty now needs no second sentence. */
  const problemAt = (draft: Draft, key: string) =>
    draft.wrong && (byField.get(key) ?? []).some(({ index }) => textOfCell(draft.line.cells[index]) !== '')

  const defaults: Input = { active: true }
  for (const [key, field] of Object.entries(entity.fields))
    defaults[key] = 'default' in field && field.default !== undefined ? field.default : null
  const withDefaults = (input: Input): Input => ({ ...defaults, ...input })

  function checkRules(draft: Draft, merged: Input, wrong: Wrong) {
    const en = sentencesOf(problemsOf(entity, merged, 'en'))
    if (en.length === 0) return
    const id = sentencesOf(problemsOf(entity, merged, 'id'))
    for (const [i, { field, reason }] of en.entries()) wrong(draft, field, { en: reason.en, id: id[i]!.reason.id })
  }

  function twiceInFile(draft: Draft, merged: Input, wrong: Wrong) {
    for (const [at, key] of keys.entries()) {
      if (!key.fields.every((field) => field in draft.input || merged[field] !== undefined)) continue
      if (key.single && (merged[key.fields[0]!] ?? null) === null) continue
      const text = keyOf(key, merged)
      const first = told[at]!.get(text)
      if (first === undefined) told[at]!.set(text, draft.line.number)
      else if (!draft.wrong || key === identity)
        wrong(
          draft,
          key.fields.find((field) => headerOf(field)) ?? null,
          sentenceOf({ key: 'twice_in_file', params: { row: first } }),
        )
    }
  }

  /** Rows that would take a name or combination another row already has. */
  async function withoutTaken(db: Db, planned: PlannedRow[], drafts: readonly Draft[], wrong: Wrong) {
    let free = planned
    for (const key of keys.slice(1)) {
      const whole = (row: PlannedRow): Input => ({ ...row.before, ...row.input })
      const wanted = free.filter((row) => row.action !== 'unchanged').map((row) => keyOf(key, whole(row)))
      const owners = await idsByKey(db, entity, key, wanted)
      free = free.filter((row) => {
        const owner = owners.get(keyOf(key, whole(row)))
        if (row.action === 'unchanged' || !owner || owner === row.id) return true
        const draft = drafts.find(({ line }) => line.number === row.number)!
        wrong(
          draft,
          key.fields[0]!,
          inBoth((l) => sentences(l)(`errors:${key.single ? 'already_exists' : 'combination_exists'}`)),
        )
        return false
      })
    }
    return free
  }

  return async function plan(db: Db, lines: readonly SheetLine[]) {
    const problems: Problem[] = []
    const drafts = lines.map(
      (line): Draft => ({ line, input: {}, references: new Map(), assumed: new Set(), wrong: false }),
    )
    const wrong = (draft: Draft, field: string | null, reason: Sentence, placed?: Placed) => {
      draft.wrong = true
      const column = placed ?? (field ? byField.get(field)?.[0] : undefined)
      const cell = column ? textOfCell(draft.line.cells[column.index]) : ''
      const value = cell.slice(0, 200) || null
      problems.push({ row: draft.line.number, field, header: column?.header ?? null, value, reason })
    }

    for (const draft of drafts) readLine(draft, wrong)
    for (const key of referenceKeys) await resolve(db, key, drafts, wrong)
    if (parentId && parentField) for (const draft of drafts) placeBelow(draft, wrong)
    const stored = await storedRows(db, drafts)
    const codes = drafts.filter(hasIdentity).map((draft) => keyOf(identity, withDefaults(draft.input)))
    const known = { stored, merged: await formerCodes(db, entity, codes) }
    const planned: PlannedRow[] = []
    for (const draft of drafts) {
      const row = decide(draft, known, wrong)
      if (row) planned.push(row)
    }
    return { planned: await withoutTaken(db, planned, drafts, wrong), problems }
  }
}
