import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { dateTime } from '#locales/format.ts'
import type { ListState } from '#web/list/list-state.ts'
import type { Filter } from '#web/list/types.ts'
import { currentLanguage } from '#web/shell/language.ts'
import { ChipText } from './list-bar.tsx'

/** Search, filters and print time, only on printed lists. */
export function PrintedFilter({ list, filters }: { list: ListState; filters: readonly Filter[] }) {
  const { t } = useTranslation('list')
  return (
    <Text size="sm" px="md" pb="sm" className="print-only">
      {list.q && `${t('searchFor', { q: list.q })} · `}
      {filters.map((filter) => {
        const value = list.filters[filter.key]
        return (
          value && (
            <span key={filter.key}>
              <ChipText filter={filter} value={value} /> ·{' '}
            </span>
          )
        )
      })}
      {dateTime(new Date(), currentLanguage())}
    </Text>
  )
}
