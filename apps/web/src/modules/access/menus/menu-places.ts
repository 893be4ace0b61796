import type { MenuRow } from '#domain/access/endpoints.ts'

export type Place = { id: string; parentId: string | null }
type Known = ReadonlyMap<string, Pick<MenuRow, 'path'>>

/** Depth first, as a reader meets them. */
export function placesOf(menus: readonly Place[]): Place[] {
  const below = Map.groupBy(menus, ({ parentId }) => parentId)
  const visit = (parent: string | null): Place[] =>
    (below.get(parent) ?? []).flatMap(({ id, parentId }) => [{ id, parentId }, ...visit(id)])
  return visit(null)
}

export function depthOf(places: readonly Place[], id: string): number {
  const parents = new Map(places.map((place) => [place.id, place.parentId]))
  let depth = 0
  for (let at = parents.get(id); at; at = parents.get(at)) depth++
  return depth
}

const isInside = (places: readonly Place[], id: string, above: string): boolean => {
  const parents = new Map(places.map((place) => [place.id, place.parentId]))
  for (let at: string | null | undefined = id; at; at = parents.get(at)) if (at === above) return true
  return false
}

/** An entry with everything under it. */
export const blockOf = (places: readonly Place[], id: string) =>
  places.filter((place) => isInside(places, place.id, id))

const siblingsOf = (places: readonly Place[], { parentId }: Place) =>
  places.filter((place) => place.parentId === parentId)

/** Takes the entry out and puts it under `parentId`, before `next` or at the end. */
export function put(places: readonly Place[], id: string, parentId: string | null, next?: string): Place[] {
  const block = blockOf(places, id).map((place) => (place.id === id ? { id, parentId } : place))
  const rest = places.filter((place) => !block.some((one) => one.id === place.id))
  const order = [...rest]
  const before = next ? order.findIndex((place) => place.id === next) : -1
  order.splice(before < 0 ? order.length : before, 0, ...block)
  return placesOf(order)
}

export type Move = 'up' | 'down' | 'in' | 'out'

/** One step up or down among its neighbours, into the heading before it, or out behind the one it stands in. */
export function step(places: readonly Place[], id: string, move: Move, known: Known): Place[] | undefined {
  const place = places.find((one) => one.id === id)!
  const siblings = siblingsOf(places, place)
  const at = siblings.findIndex((one) => one.id === id)
  if (move === 'up') return at > 0 ? put(places, id, place.parentId, siblings[at - 1]!.id) : undefined
  if (move === 'down')
    return at < siblings.length - 1 ? put(places, id, place.parentId, siblings[at + 2]?.id) : undefined
  if (move === 'in') {
    const heading = siblings[at - 1]
    return heading && known.get(heading.id)?.path === null ? put(places, id, heading.id) : undefined
  }
  const parent = places.find((one) => one.id === place.parentId)
  if (!parent) return undefined
  const neighbours = siblingsOf(places, parent)
  return put(places, id, parent.parentId, neighbours[neighbours.findIndex((one) => one.id === parent.id) + 1]?.id)
}

/** Where an entry lands that is dropped at the place of `over`, `shift` levels to the right of where it was. */
export function drop(places: readonly Place[], id: string, over: string, shift: number, known: Known): Place[] {
  const inside = new Set(blockOf(places, id).map((place) => place.id))
  if (inside.has(over) && over !== id) return [...places]
  const flat = places.filter((place) => !inside.has(place.id) || place.id === id)
  const [from, to] = [flat.findIndex((place) => place.id === id), flat.findIndex((place) => place.id === over)]
  const moved = flat.toSpliced(from, 1).toSpliced(to, 0, flat[from]!)
  const previous = moved[to - 1]
  const next = moved[to + 1]
  const previousDepth = previous ? depthOf(places, previous.id) : -1
  const deepest = previous ? previousDepth + (known.get(previous.id)?.path === null ? 1 : 0) : 0
  const shallowest = next ? depthOf(places, next.id) : 0
  const depth = Math.max(Math.min(depthOf(places, id) + shift, deepest), Math.min(shallowest, deepest))
  let parent: string | null = previous?.id ?? null
  for (let at = previousDepth; parent && at >= depth; at--)
    parent = places.find((place) => place.id === parent)!.parentId
  const follower = moved.slice(to + 1).find((place) => place.parentId === parent)
  return put(places, id, parent, follower?.id)
}
