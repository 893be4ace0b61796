import '@mantine/spotlight/styles.layer.css'
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { MenuItem } from '#domain/access/endpoints.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { useMenu } from './menu.ts'
import { MenuIcon } from './menu-icons.tsx'
import { menuSearchStore } from './menu-search-store.ts'

/** Ctrl + K: any screen of the menu by its name. */
export function MenuSearch() {
  const { t } = useTranslation('navigation')
  const { items, nameOf } = useMenu()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const actions: SpotlightActionData[] = []
  const visit = (item: MenuItem, above: string[]) => {
    if (item.path) {
      const path = item.path
      actions.push({
        id: item.id,
        label: nameOf(item),
        description: above.join(' / ') || undefined,
        keywords: [item.name.en, item.name.id],
        leftSection: <MenuIcon name={item.icon} />,
        onClick: () => navigate(path),
      })
    }
    for (const child of item.children) visit(child, [...above, nameOf(item)])
  }
  for (const item of items) visit(item, [])
  const short = query.trim().length < navigationConstants.searchMinimumLength
  return (
    <Spotlight
      store={menuSearchStore}
      actions={short ? [] : actions}
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      limit={8}
      highlightQuery
      attributes={{ content: { 'aria-label': t('search') } }}
      nothingFound={short ? t('searchHint', { count: navigationConstants.searchMinimumLength }) : t('searchNothing')}
      searchProps={{
        'aria-label': t('search'),
        placeholder: t('search'),
        leftSection: <IconSearch size={20} aria-hidden />,
      }}
    />
  )
}
