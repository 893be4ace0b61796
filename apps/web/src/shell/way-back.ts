import { useNavigate } from 'react-router'
import { readStored, writeStored } from '#web/ui/stored.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** sessionStorage key: each tab has its own lists, each account its own searches. */
const keyOf = (owner: string, path: string) => `list:${owner}:${path}`

/** Navigation state when returning to a list, which then also restores its scroll position. */
export const returning = { returns: true }

/** Stores the query with which the reader left the list at this path. */
export const rememberList = (owner: string, path: string, search: string) =>
  void writeStored('sessionStorage', keyOf(owner, path), search || null)

/**
 * Returns the props of a link to a list as the reader left it: with search, filters, order and page. A path not yet
 * opened in this tab is unchanged.
 */
export function useWayBack() {
  const { owner } = useSurroundings()
  return (path: string) => ({
    to: path + (readStored<string>('sessionStorage', keyOf(owner, path)) ?? ''),
    state: returning,
  })
}

/** Returns a function that navigates to a list as the reader left it. */
export function useGoBack() {
  const navigate = useNavigate()
  const wayBack = useWayBack()
  return (path: string) => {
    const { to, state } = wayBack(path)
    navigate(to, { state })
  }
}
