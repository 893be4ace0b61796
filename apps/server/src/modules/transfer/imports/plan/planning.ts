import type { z } from 'zod'
import type { Entity } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'

import { createSchema } from '#entities/define/schema.ts'
import { getEntity } from '#entities/index.ts'
import { fieldOf, type Header, isRequired, type Placed } from '#server/modules/transfer/imports/import-columns.ts'
import type { Sentence } from '#server/modules/transfer/imports/problems.ts'
import { textOfCell } from '#server/modules/transfer/imports/read-cell.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { SheetLine } from '#server/platform/sheets/sheet-reader.ts'
import { type Finder, makeFinder } from './find-references.ts'
import { keyOf, type RowKey, rowKeysOf } from './row-keys.ts'

export type Input = Record<string, unknown>

export type PlanOptions = {
  entity: Entity
  understood: Header
  /** Line with the headings, if the rows come from a file. */
  headings?: SheetLine
  parentId: string | null
  mayUpdate: boolean
  /** Ids the role is limited to; null without a limit. */
  limits: ReadonlySet<string> | null
  timeZone: string
  /**
   * Whether a name belongs to a row with its own problem elsewhere in the file; a reference to it is no second problem.
   */
  isPending?: (slug: string, name: string) => boolean
}

/** Facts for all lines of a file, and state that earlier lines leave for later ones. */
export type Planning = PlanOptions & {
  schema: Record<string, z.ZodType>
  keys: readonly RowKey[]
  /** Key that identifies the stored row of a line. */
  identity: RowKey
  /** Columns by the field they fill. */
  byField: ReadonlyMap<string, readonly Placed[]>
  /** Reference fields; fields that narrow others come first: a city before its districts. */
  referenceKeys: readonly string[]
  required: readonly [string, Field][]
  defaults: Input
  /** Number of the first line with a key, by key and by its text in that line. */
  firstLines: ReadonlyMap<RowKey, Map<string, number>>
  finders: Map<string, Finder>
}

/** A line being turned into a row. */
export type Draft = {
  line: SheetLine
  input: Input
  references: Map<string, { texts: string[]; placed: Placed | undefined }>
  /** Fields that refer to an inactive row. */
  inactive: Set<string>
  /** Fields filled in by a profile because the sheet leaves them empty; a stored row keeps its own values. */
  assumed: Set<string>
  wrong: boolean
}

/** Records a problem of a line; `placed` defaults to the first column of the field. */
export type Wrong = (draft: Draft, field: string | null, reason: Sentence, placed?: Placed) => void
/** Records a warning, which blocks no row. */
export type Warn = (draft: Draft, field: string, reason: Sentence) => void

export const isReference = ({ kind }: Field) => kind === 'reference' || kind === 'multiReference'

/** Gathers the facts for planning lines. */
export function preparePlanning(options: PlanOptions): Planning {
  const { entity, understood, parentId } = options
  const keys = rowKeysOf(entity)
  const byField = Map.groupBy(understood.columns, ({ fieldKey }) => fieldKey)
  const isNarrowed = (key: string) => Number('within' in fieldOf(entity, key))
  const defaults: Input = { active: true }
  for (const [key, field] of Object.entries(entity.fields))
    defaults[key] = 'default' in field && field.default !== undefined ? field.default : null
  return {
    ...options,
    schema: createSchema(entity).shape as Record<string, z.ZodType>,
    keys,
    identity: keys[0]!,
    byField,
    referenceKeys: [...new Set([...byField.keys(), ...Object.keys(understood.profile?.columns ?? {})])]
      .filter((key) => isReference(fieldOf(entity, key)))
      .sort((a, b) => isNarrowed(a) - isNarrowed(b)),
    required: Object.entries(entity.fields).filter(
      ([key, field]) => isRequired(field) && !(parentId && key === entity.parent?.field),
    ),
    defaults,
    firstLines: new Map(keys.map((key) => [key, new Map()])),
    finders: new Map(),
  }
}

export const draftOf = (line: SheetLine): Draft => ({
  line,
  input: {},
  references: new Map(),
  inactive: new Set(),
  assumed: new Set(),
  wrong: false,
})

/** Returns the cached finder of an entity. */
export function finderFor({ finders }: Planning, db: Db, slug: string): Finder {
  const finder = finders.get(slug) ?? makeFinder(db, getEntity(slug))
  finders.set(slug, finder)
  return finder
}

export const withDefaults = ({ defaults }: Planning, input: Input): Input => ({ ...defaults, ...input })

/** Text of the identity; undefined if one of its fields is unknown. */
export function identityOf(planning: Planning, { input }: Draft): string | undefined {
  const { entity, identity, byField } = planning
  const complete = identity.fields.every((key) => key in input || fieldOf(entity, key).optional || !byField.has(key))
  return complete ? keyOf(identity, withDefaults(planning, input)) : undefined
}

/** Whether the line fills a column of the field. */
export const isFilledIn = ({ byField }: Planning, { line }: Draft, key: string) =>
  (byField.get(key) ?? []).some(({ index }) => textOfCell(line.cells[index]) !== '')
