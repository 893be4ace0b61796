import { useHotkeys } from '@mantine/hooks'
import { useSpotlight } from '@mantine/spotlight'
import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { addEarlyKey } from './early-keys.ts'
import { menuSearch, menuSearchStore, openMenuSearch } from './menu-search-store.ts'
import type { SearchDialogProps } from './search-dialog.tsx'

/** Opens the search with Ctrl + K, even from within a field; the dialog loads on first use. */
export function MenuSearch() {
  const { opened } = useSpotlight(menuSearchStore)
  const [Dialog, setDialog] = useState<ComponentType<SearchDialogProps>>()
  const [query, setQuery] = useState('')
  const { pathname } = useLocation()
  const way = useNavigationType()
  // Only going back: another page may arrive late, when the reader has opened the search again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the search
  useEffect(() => {
    if (way === 'POP') menuSearch.close()
  }, [pathname])
  useHotkeys([['mod+K', openMenuSearch]], [])
  useEffect(() => {
    if (!opened || Dialog) return
    // After a failed load the dialog stays closed; the next use loads it again.
    import('./search-dialog.tsx').then(({ default: Loaded }) => setDialog(() => Loaded), menuSearch.close)
  }, [opened, Dialog])
  // Until the dialog has the focus, letters would be lost or typed into the field behind it.
  useEffect(() => {
    if (!opened) return
    let earlyQuery = ''
    setQuery('')
    const keepKey = (event: KeyboardEvent) => {
      if ((event.target as Element).closest?.('[role="dialog"]')) return
      const next = addEarlyKey(earlyQuery, event)
      if (next === null) return
      event.preventDefault()
      event.stopPropagation()
      earlyQuery = next
      setQuery(next)
    }
    addEventListener('keydown', keepKey, true)
    return () => removeEventListener('keydown', keepKey, true)
  }, [opened])
  return Dialog && <Suspense children={<Dialog query={query} onQuery={setQuery} />} />
}
