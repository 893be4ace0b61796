import { createSpotlight } from '@mantine/spotlight'
import { turnShortcutsOffWhile } from '../../ui/shortcuts.ts'

export const [menuSearchStore, menuSearch] = createSpotlight()
turnShortcutsOffWhile(() => menuSearchStore.getState().opened)
export const openMenuSearch = () => menuSearch.open()
