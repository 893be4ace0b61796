import type { SearchHit } from '#domain/search/endpoints.ts'
import type { SearchKind } from '#domain/search/kinds.ts'
import { useDraft } from '#web/ui/form/draft.tsx'

/** A screen or a hit opened from the search. */
export type Opened = { kind: 'menu'; path: string } | { kind: SearchKind; hit: SearchHit }

const maxRecent = 6
const nameOf = (item: Opened) => (item.kind === 'menu' ? item.path : `${item.kind}:${item.hit.id}`)

/** Last opened items, newest first; stored on this device for this user and deleted at sign-out. */
export function useRecent() {
  const [recent, set, { clear }] = useDraft<Opened[]>('search-opened', [])
  return {
    recent,
    remember: (item: Opened) =>
      set((before) => [item, ...before.filter((other) => nameOf(other) !== nameOf(item))].slice(0, maxRecent)),
    forget: () => {
      set([])
      clear()
    },
  }
}
