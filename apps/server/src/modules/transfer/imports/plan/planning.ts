import type { z } from 'zod'
import type { Entity } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'

import { createSchema } from '#entities/define/schema.ts'
import { getEntity } from '#entities/index.ts'
import { fieldOf, isRequired, type Placed, type Understood } from '#server/modules/transfer/imports/import-columns.ts'
import type { Sentence } from '#server/modules/transfer/imports/problems.ts'
import { textOfCell } from '#server/modules/transfer/imports/read-cell.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { SheetLine } from '#server/platform/sheets/sheet-reader.ts'
import { type Finder, finderOf } from './find-references.ts'
import { keyOf, type RowKey, rowKeysOf } from './row-keys.ts'

export type Input = Record<string, unknown>

export type PlanOptions = {
  entity: Entity
  understood: Understood
  parentId: string | null
  mayUpdate: boolean
  /** Ids the role is limited to, in the field that says whose a row is. */
  limits: ReadonlySet<string> | null
  timeZone: string
}

/** What stays the same for all lines of one file, and what earlier lines leave for later ones. */
export type Planning = PlanOptions & {
  schema: Record<string, z.ZodType>
  keys: readonly RowKey[]
  /** The key that says which stored row a line means. */
  identity: RowKey
  /** Columns of the sheet by the field they fill. */
  byField: ReadonlyMap<string, readonly Placed[]>
  /** Fields that name other rows; a field that narrows another comes first: a city before its districts. */
  referenceKeys: readonly string[]
  required: readonly [string, Field][]
  defaults: Input
  /** Line that gave a key first, by key of the entity and text. */
  firstLines: readonly Map<string, number>[]
  finders: Map<string, Finder>
}

/** One line of the sheet on its way to a row. */
export type Draft = {
  line: SheetLine
  input: Input
  references: Map<string, { texts: string[]; placed: Placed | undefined }>
  /** Fields that name a row which is not active. */
  inactive: Set<string>
  /** Fields that the sheet leaves empty and a profile fills in; a stored row keeps its own values there. */
  assumed: Set<string>
  wrong: boolean
}

/** Notes a problem of a line; without `placed` the first column of the field is named. */
export type Wrong = (draft: Draft, field: string | null, reason: Sentence, placed?: Placed) => void

export const isReference = ({ kind }: Field) => kind === 'reference' || kind === 'multiReference'

/** Gathers what the plan of every line needs. */
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
    firstLines: keys.map(() => new Map()),
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

/** The finder of one entity, kept for the next thousand lines. */
export function finderFor({ finders }: Planning, db: Db, slug: string): Finder {
  const known = finders.get(slug) ?? finderOf(db, getEntity(slug))
  finders.set(slug, known)
  return known
}

export const withDefaults = ({ defaults }: Planning, input: Input): Input => ({ ...defaults, ...input })

/** The text of the identity; undefined while a field of it is unknown. */
export function identityOf(planning: Planning, { input }: Draft): string | undefined {
  const { entity, identity, byField } = planning
  const complete = identity.fields.every((key) => key in input || fieldOf(entity, key).optional || !byField.has(key))
  return complete ? keyOf(identity, withDefaults(planning, input)) : undefined
}

/** Whether the sheet fills a column of the field in this line. */
export const isFilledIn = ({ byField }: Planning, { line }: Draft, key: string) =>
  (byField.get(key) ?? []).some(({ index }) => textOfCell(line.cells[index]) !== '')
