import { useHotkeys } from '@mantine/hooks'
import { useSpotlight } from '@mantine/spotlight'
import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { addEarlyKey } from './early-keys.ts'
import { menuSearch, menuSearchStore, openMenuSearch } from './menu-search-store.ts'
import type { SearchDialogProps } from './search-dialog.tsx'

/** Ctrl + K, also while writing in a field: the search over everything, loaded when it is first asked for. */
export function MenuSearch() {
  const { opened } = useSpotlight(menuSearchStore)
  const [Dialog, setDialog] = useState<ComponentType<SearchDialogProps>>()
  const [query, setQuery] = useState('')
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it belongs to the page it was opened on
  useEffect(() => menuSearch.close(), [pathname])
  useHotkeys([['mod+K', openMenuSearch]], [])
  useEffect(() => {
    if (!opened || Dialog) return
    // Without the network it stays closed and is asked for again next time.
    import('./search-dialog.tsx').then(({ default: Loaded }) => setDialog(() => Loaded), menuSearch.close)
  }, [opened, Dialog])
  // Until the dialog has the focus, letters would be lost or go into the field behind it.
  useEffect(() => {
    if (!opened) return
    let early = ''
    setQuery('')
    const keep = (event: KeyboardEvent) => {
      if ((event.target as Element).closest?.('[role="dialog"]')) return
      const next = addEarlyKey(early, event)
      if (next === null) return
      event.preventDefault()
      event.stopPropagation()
      early = next
      setQuery(next)
    }
    addEventListener('keydown', keep, true)
    return () => removeEventListener('keydown', keep, true)
  }, [opened])
  return Dialog && <Suspense children={<Dialog query={query} onQuery={setQuery} />} />
}
