import { createSpotlight } from '@mantine/spotlight'

export const [menuSearchStore, menuSearch] = createSpotlight()
export const openMenuSearch = () => menuSearch.open()
