import type { Field, Localized } from './field.ts'

export type Fields = Record<string, Field>

export type EntityAction = 'view' | 'create' | 'update' | 'delete'

export type Entity = {
  /** Public name: path segment and permission prefix. */
  slug: string
  table: string
  label: { one: Localized; many: Localized }
  fields: Fields
  /** Own fields that together name a row where something else points to it. */
  titleFields: readonly string[]
  /** Own fields told beside the title where rows are chosen, for names that occur often. */
  hintFields?: readonly string[]
  /** Field, with a minus before it for descending. */
  defaultSort: string
  /** Lives under a row of another entity: `/master/{parent.slug}/{id}/{parent.path}`. */
  parent?: {
    slug: string
    field: string
    path: string
    /** Pages below `/master/{parent.slug}/:id/` for one row; without them, a row is edited in a dialog beside its parent. */
    pages?: { create: string; edit: `${string}/:${string}` }
  }
  /** Permissions that do not follow `master-{slug}-{action}`. */
  permissions?: Partial<Record<EntityAction, string>>
  uniqueTogether?: readonly (readonly string[])[]
  /** Pairs whose first must come before the second when both are given. */
  before?: readonly (readonly [string, string])[]
  /** Groups of fields of which exactly one is given. */
  oneOf?: readonly (readonly string[])[]
  /** Columns of the table that modules keep and no form shows: name and SQL type. */
  moduleColumns?: Readonly<Record<string, string>>
  /** Rules only the database can check, by the name of the constraint: the field it speaks of and what to say. */
  constraints?: Readonly<Record<string, { field: string; code: string }>>
  /** Field with the study programme or faculty the row belongs to: roles limited to some see and change only theirs. */
  scope?: { by: 'programme' | 'faculty'; field: string }
  /** Many rows: searched with trigrams, never loaded whole. */
  large?: true
}

/** Fields are asked for by names people send, so they inherit nothing: `constructor` is no field. */
export function defineEntity<const E extends Entity>(entity: E): E {
  Object.setPrototypeOf(entity.fields, null)
  return entity
}

export const permissionOf = (entity: Entity, action: EntityAction): string =>
  entity.permissions?.[action] ?? `master-${entity.slug}-${action}`

/** Permissions of nested entities: read with the parent, `create`, `edit` and `delete` by names of their own. */
export const nestedPermissions = (parent: string, own: string) => ({
  view: `master-${parent}-view`,
  create: `master-${own}-create`,
  update: `master-${own}-edit`,
  delete: `master-${own}-delete`,
})

export const columnName = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Kept in a column of the entity's own table, as opposed to a joining table. */
export const isStored = (field: Field) => field.kind !== 'multiReference'
