import { useHotkeys } from '@mantine/hooks'
import { useSpotlight } from '@mantine/spotlight'
import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { menuSearch, menuSearchStore, openMenuSearch } from './menu-search-store.ts'

/** Ctrl + K, also while writing in a field: the search over everything, loaded when it is first asked for. */
export function MenuSearch() {
  const { opened } = useSpotlight(menuSearchStore)
  const [Dialog, setDialog] = useState<ComponentType>()
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it belongs to the page it was opened on
  useEffect(() => menuSearch.close(), [pathname])
  useHotkeys([['mod+K', openMenuSearch]], [])
  useEffect(() => {
    if (!opened || Dialog) return
    // Without the network it stays closed and is asked for again next time.
    import('#web/modules/search/search-dialog.tsx').then(
      ({ default: Loaded }) => setDialog(() => Loaded),
      menuSearch.close,
    )
  }, [opened, Dialog])
  return Dialog && <Suspense children={<Dialog />} />
}
