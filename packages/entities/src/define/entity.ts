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
  /** Fields that together name a row wherever other rows refer to it. */
  titleFields: readonly string[]
  /** Fields of this entity shown beside the title in choices, because titles such as school names repeat. */
  hintFields?: readonly string[]
  /** Field to sort by; a leading minus sorts descending. */
  defaultSort: string
  /** Parent entity of nested rows: `/master/{parent.slug}/{id}/{parent.path}`. */
  parent?: {
    slug: string
    field: string
    path: string
    /**
     * Pages for one row below `/master/{parent.slug}/:id/`; without them, a row is edited in a dialog beside its
     * parent.
     */
    pages?: { create: string; edit: `${string}/:${string}` }
  }
  /** Permissions that do not follow `master-{slug}-{action}`. */
  permissions?: Partial<Record<EntityAction, string>>
  uniqueTogether?: readonly (readonly string[])[]
  /** Pairs of fields: if both have values, the first must be earlier than the second. */
  before?: readonly (readonly [string, string])[]
  /** Groups of fields of which exactly one must have a value. */
  oneOf?: readonly (readonly string[])[]
  /** Columns written by modules and shown in no form: name and SQL type. */
  moduleColumns?: Readonly<Record<string, string>>
  /** Database constraints by name: field to mark and error code to show on violation. */
  constraints?: Readonly<Record<string, { field: string; code: string }>>
  /** Field with the row's study programme or faculty: limited roles see and change only their own rows. */
  scope?: { by: 'programme' | 'faculty'; field: string }
  /** Too many rows to load at once: choices search them with trigrams. */
  large?: true
}

/** Field names come from requests, so `fields` has no prototype: a lookup of `constructor` finds nothing. */
export function defineEntity<const E extends Entity>(entity: E): E {
  Object.setPrototypeOf(entity.fields, null)
  return entity
}

/** A field by a key of the declaration. Throws for any other key. */
export function declaredField({ fields, slug }: Entity, key: string): Field {
  const field = fields[key]
  if (!field) throw new Error(`${slug} has no field ${key}`)
  return field
}

export const permissionOf = (entity: Entity, action: EntityAction): string =>
  entity.permissions?.[action] ?? `master-${entity.slug}-${action}`

/** Permissions of nested entities: `view` is the parent's; `create`, `edit` and `delete` are their own. */
export const nestedPermissions = (parentSlug: string, childSlug: string) => ({
  view: `master-${parentSlug}-view`,
  create: `master-${childSlug}-create`,
  update: `master-${childSlug}-edit`,
  delete: `master-${childSlug}-delete`,
})

export const columnName = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Whether the field has a column in the entity's table; multi-references have a joining table. */
export const isStored = (field: Field) => field.kind !== 'multiReference'
