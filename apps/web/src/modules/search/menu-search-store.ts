import { createSpotlight } from '@mantine/spotlight'
import { turnShortcutsOffWhile } from '#web/ui/shortcuts.ts'

export const [menuSearchStore, menuSearch] = createSpotlight()
turnShortcutsOffWhile(() => menuSearchStore.getState().opened)
export const openMenuSearch = () => menuSearch.open()
