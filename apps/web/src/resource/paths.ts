import { screens } from '#domain/navigation/screens.ts'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import { childrenOf, findEntity } from '#entities/index.ts'

/** The last word of the address where a nested record is made or changed, as the table of screens has it. */
function wordOf(entity: Entity, action: 'create' | 'update'): string | undefined {
  const access = permissionOf(entity, action)
  const base = `/master/${entity.parent?.slug}/:id/`
  const found = screens.find((screen) => screen.access === access && screen.path.startsWith(base))
  return found?.path.slice(base.length).split('/')[0]
}

/** Has screens of its own; the others are edited in a dialog on the page of their parent. */
export const hasScreens = (entity: Entity) => !entity.parent || wordOf(entity, 'create') !== undefined

/** Rows with lists of their own open on a page that shows those. */
export const hasView = (entity: Entity) => childrenOf(entity).some(hasScreens)

export const viewPath = (entity: Entity, id: string) => `/master/${entity.slug}/view/${id}`

export const createPath = (entity: Entity, parentId?: string) =>
  entity.parent
    ? `/master/${entity.parent.slug}/${parentId}/${wordOf(entity, 'create')}`
    : `/master/${entity.slug}/create`

export const editPath = (entity: Entity, id: string, parentId?: string) =>
  entity.parent
    ? `/master/${entity.parent.slug}/${parentId}/${wordOf(entity, 'update')}/${id}`
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
  const isMade = (child: Entity) => wordOf(child, 'create') === third
  const child = childrenOf(entity).find((one) => isMade(one) || wordOf(one, 'update') === third)
  if (!child) return undefined
  const mode = isMade(child) ? 'create' : 'edit'
  return { entity: child, mode, parentId: second, ...(mode === 'edit' && { id: fourth }) }
}
