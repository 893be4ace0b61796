import type { Field } from './field.ts'
import type { Localized } from './language.ts'

export type Fields = Record<string, Field>

export type EntityAction = 'view' | 'create' | 'update' | 'delete'

export type Entity = {
  /** Public name: path segment and permission prefix. */
  slug: string
  table: string
  label: { one: Localized; many: Localized }
  fields: Fields
  /** Fields of this entity that together name a row wherever another row points to it. */
  titleFields: readonly string[]
  /** Fields of this entity shown beside the title in choices, because titles such as school names repeat. */
  hintFields?: readonly string[]
  /** Field to sort by; a leading minus sorts descending. */
  defaultSort: string
  /** Entity whose rows this one is nested under: `/master/{parent.slug}/{id}/{parent.path}`. */
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
  /** Pairs of fields; when both have values, the first must be earlier than the second. */
  before?: readonly (readonly [string, string])[]
  /** Groups of fields of which exactly one has a value. */
  oneOf?: readonly (readonly string[])[]
  /** Columns that modules write and no form shows: name and SQL type. */
  moduleColumns?: Readonly<Record<string, string>>
  /** Database constraints by name: the field to mark and the error code to show when one fails. */
  constraints?: Readonly<Record<string, { field: string; code: string }>>
  /** Field with the row's study programme or faculty: limited roles see and change only rows of their own. */
  scope?: { by: 'programme' | 'faculty'; field: string }
  /** Too many rows to load whole: choices search them with trigrams. */
  large?: true
}

/** Field names come from requests, so `fields` has no prototype: a request for `constructor` finds nothing. */
export function defineEntity<const E extends Entity>(entity: E): E {
  Object.setPrototypeOf(entity.fields, null)
  return entity
}

export const permissionOf = (entity: Entity, action: EntityAction): string =>
  entity.permissions?.[action] ?? `master-${entity.slug}-${action}`

/** Permissions of nested entities: `view` is the parent's; `create`, `edit` and `delete` are separate. */
export const nestedPermissions = (parentSlug: string, childSlug: string) => ({
  view: `master-${parentSlug}-view`,
  create: `master-${childSlug}-create`,
  update: `master-${childSlug}-edit`,
  delete: `master-${childSlug}-delete`,
})

export const columnName = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** True for fields with a column in the entity's table; multi-references have a joining table. */
export const isStored = (field: Field) => field.kind !== 'multiReference'
