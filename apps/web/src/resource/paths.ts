import type { Entity } from '#entities/define/entity.ts'
import { childrenOf, findEntity } from '#entities/index.ts'

/** Addresses of nested records below `/master/{parent}/{id}/`: where one is made and where one is changed. */
const nested: Record<string, readonly [create: string, edit: string]> = {
  'prodi-detail': ['create', 'edit'],
  'uang-kuliah': ['create-uang-kuliah', 'edit-uang-kuliah'],
  'jalur-file': ['create-jalur-file', 'edit-jalur-file'],
  'jalur-detail': ['create', 'edit'],
  kota: ['create', 'edit-kota'],
  kecamatan: ['create', 'edit-kecamatan'],
  kelurahan: ['create', 'edit-kelurahan'],
  'sma-jurusan': ['create', 'edit'],
}

/** Has screens of its own; the others are edited in a dialog on the page of their parent. */
export const hasScreens = (entity: Entity) => !entity.parent || entity.slug in nested

/** Rows with lists of their own open on a page that shows those. */
export const hasView = (entity: Entity) => childrenOf(entity).some(hasScreens)

export const viewPath = (entity: Entity, id: string) => `/master/${entity.slug}/view/${id}`

export const createPath = (entity: Entity, parentId?: string) =>
  entity.parent
    ? `/master/${entity.parent.slug}/${parentId}/${nested[entity.slug]![0]}`
    : `/master/${entity.slug}/create`

export const editPath = (entity: Entity, id: string, parentId?: string) =>
  entity.parent
    ? `/master/${entity.parent.slug}/${parentId}/${nested[entity.slug]![1]}/${id}`
    : `/master/${entity.slug}/${id}`

/** Where the list of the entity stands. */
export const listPath = (entity: Entity, parentId?: string) =>
  entity.parent ? `/master/${entity.parent.slug}/view/${parentId}` : `/master/${entity.slug}`

export type Target = { entity: Entity; mode: 'list' | 'view' | 'create' | 'edit'; id?: string; parentId?: string }

/** Which record a path below /master speaks of. */
export function targetOf(pathname: string): Target | undefined {
  const [, root, slug = '', second, third, fourth] = pathname.split('/')
  const entity = root === 'master' ? findEntity(slug) : undefined
  if (!entity) return undefined
  if (second === undefined || second === '') return { entity, mode: 'list' }
  if (second === 'create') return { entity, mode: 'create' }
  if (second === 'view') return { entity, mode: 'view', id: third }
  if (third === undefined) return { entity, mode: 'edit', id: second }
  const child = childrenOf(entity).find((one) => nested[one.slug]?.includes(third))
  if (!child) return undefined
  const mode = nested[child.slug]![0] === third ? 'create' : 'edit'
  return { entity: child, mode, parentId: second, ...(mode === 'edit' && { id: fourth }) }
}
