import type { Entity } from '#entities/define/entity.ts'
import { childrenOf, findEntity } from '#entities/index.ts'

/** Last path segment of a nested record's form. */
const wordOf = (entity: Entity, action: 'create' | 'edit') => entity.parent?.pages?.[action].split('/')[0]

export const viewPath = (entity: Entity, id: string) => `/master/${entity.slug}/view/${id}`

export const createPath = (entity: Entity, parentId?: string) =>
  entity.parent
    ? `/master/${entity.parent.slug}/${parentId}/${wordOf(entity, 'create')}`
    : `/master/${entity.slug}/create`

export const editPath = (entity: Entity, id: string, parentId?: string) =>
  entity.parent
    ? `/master/${entity.parent.slug}/${parentId}/${wordOf(entity, 'edit')}/${id}`
    : `/master/${entity.slug}/${id}`

/** Path of the entity's list. */
export const listPath = (entity: Entity, parentId?: string) =>
  entity.parent ? `/master/${entity.parent.slug}/view/${parentId}` : `/master/${entity.slug}`

export type Target = { entity: Entity; mode: 'list' | 'view' | 'create' | 'edit'; id?: string; parentId?: string }

/** Entity, mode and row of a path below /master. */
export function targetOf(pathname: string): Target | undefined {
  const [, root, slug = '', second, third, fourth] = pathname.split('/')
  const entity = root === 'master' ? findEntity(slug) : undefined
  if (!entity) return undefined
  if (second === undefined || second === '') return { entity, mode: 'list' }
  if (second === 'create') return { entity, mode: 'create' }
  if (second === 'view') return { entity, mode: 'view', id: third }
  if (third === undefined) return { entity, mode: 'edit', id: second }
  const isMade = (child: Entity) => wordOf(child, 'create') === third
  const child = childrenOf(entity).find((nested) => isMade(nested) || wordOf(nested, 'edit') === third)
  if (!child) return undefined
  const mode = isMade(child) ? 'create' : 'edit'
  return { entity: child, mode, parentId: second, ...(mode === 'edit' && { id: fourth }) }
}
