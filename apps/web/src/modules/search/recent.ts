import type { SearchHit } from '#domain/search/endpoints.ts'
import type { SearchKind } from '#domain/search/kinds.ts'
import { useDraft } from '#web/ui/form/draft.tsx'

/** What was opened from the search: a screen by its path, or something found. */
export type Opened = { kind: 'menu'; path: string } | { kind: SearchKind; hit: SearchHit }

const most = 6
const nameOf = (one: Opened) => (one.kind === 'menu' ? one.path : `${one.kind}:${one.hit.id}`)

/** Opened last, newest first; kept on this device for this person and forgotten with the sign-out. */
export function useRecent() {
  const [recent, set, { clear }] = useDraft<Opened[]>('search-opened', [])
  return {
    recent,
    remember: (one: Opened) =>
      set((before) => [one, ...before.filter((other) => nameOf(other) !== nameOf(one))].slice(0, most)),
    forget: () => {
      set([])
      clear()
    },
  }
}
