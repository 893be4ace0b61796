import type { MenuRow } from '#domain/access/endpoints.ts'

export type Place = { id: string; parentId: string | null }
type Known = ReadonlyMap<string, Pick<MenuRow, 'path'>>

/** All menus depth first, as the sidebar shows them. */
export function placesOf(menus: readonly Place[]): Place[] {
  const childrenByParent = Map.groupBy(menus, ({ parentId }) => parentId)
  const visit = (parent: string | null): Place[] =>
    (childrenByParent.get(parent) ?? []).flatMap(({ id, parentId }) => [{ id, parentId }, ...visit(id)])
  return visit(null)
}

export function depthOf(places: readonly Place[], id: string): number {
  const parents = new Map(places.map((place) => [place.id, place.parentId]))
  let depth = 0
  for (let ancestor = parents.get(id); ancestor; ancestor = parents.get(ancestor)) depth++
  return depth
}

const isInside = (places: readonly Place[], id: string, ancestorId: string): boolean => {
  const parents = new Map(places.map((place) => [place.id, place.parentId]))
  for (let ancestor: string | null | undefined = id; ancestor; ancestor = parents.get(ancestor))
    if (ancestor === ancestorId) return true
  return false
}

/** A menu with all of its descendants. */
export const blockOf = (places: readonly Place[], id: string) =>
  places.filter((place) => isInside(places, place.id, id))

const siblingsOf = (places: readonly Place[], { parentId }: Place) =>
  places.filter((place) => place.parentId === parentId)

/** Moves a menu with its descendants below `parentId`, before sibling `next` or to the end. */
export function put(places: readonly Place[], id: string, parentId: string | null, next?: string): Place[] {
  const block = blockOf(places, id).map((place) => (place.id === id ? { id, parentId } : place))
  const rest = places.filter((place) => !block.some((moving) => moving.id === place.id))
  const order = [...rest]
  const nextIndex = next ? order.findIndex((place) => place.id === next) : -1
  order.splice(nextIndex < 0 ? order.length : nextIndex, 0, ...block)
  return placesOf(order)
}

export type Move = 'up' | 'down' | 'in' | 'out'

function placeOf(places: readonly Place[], id: string): Place {
  const place = places.find((candidate) => candidate.id === id)
  if (!place) throw new Error(`No menu ${id}`)
  return place
}

/**
 * Moves a menu up or down among its siblings, into the preceding heading, or out of its own heading; undefined if that
 * is impossible.
 */
export function step(places: readonly Place[], id: string, move: Move, menusById: Known): Place[] | undefined {
  const place = placeOf(places, id)
  const siblings = siblingsOf(places, place)
  const siblingIndex = siblings.findIndex((sibling) => sibling.id === id)
  const preceding = siblings[siblingIndex - 1]
  if (move === 'up') return preceding && put(places, id, place.parentId, preceding.id)
  if (move === 'down')
    return siblingIndex < siblings.length - 1
      ? put(places, id, place.parentId, siblings[siblingIndex + 2]?.id)
      : undefined
  if (move === 'in') {
    const heading = siblings[siblingIndex - 1]
    return heading && menusById.get(heading.id)?.path === null ? put(places, id, heading.id) : undefined
  }
  const parent = places.find((candidate) => candidate.id === place.parentId)
  if (!parent) return undefined
  const neighbours = siblingsOf(places, parent)
  return put(
    places,
    id,
    parent.parentId,
    neighbours[neighbours.findIndex((neighbour) => neighbour.id === parent.id) + 1]?.id,
  )
}

/** Places after dropping a menu on `overId`, `shift` levels to the right of its former level. */
export function drop(places: readonly Place[], id: string, overId: string, shift: number, menusById: Known): Place[] {
  const blockIds = new Set(blockOf(places, id).map((place) => place.id))
  if (blockIds.has(overId) && overId !== id) return [...places]
  const flat = places.filter((place) => !blockIds.has(place.id) || place.id === id)
  const [from, to] = [flat.findIndex((place) => place.id === id), flat.findIndex((place) => place.id === overId)]
  const reordered = flat.toSpliced(from, 1).toSpliced(to, 0, flat[from]!)
  const previous = reordered[to - 1]
  const next = reordered[to + 1]
  const previousDepth = previous ? depthOf(places, previous.id) : -1
  const deepest = previous ? previousDepth + (menusById.get(previous.id)?.path === null ? 1 : 0) : 0
  const shallowest = next ? depthOf(places, next.id) : 0
  const depth = Math.max(Math.min(depthOf(places, id) + shift, deepest), Math.min(shallowest, deepest))
  let parent: string | null = previous?.id ?? null
  for (let level = previousDepth; parent && level >= depth; level--) parent = placeOf(places, parent).parentId
  const follower = reordered.slice(to + 1).find((place) => place.parentId === parent)
  return put(places, id, parent, follower?.id)
}
