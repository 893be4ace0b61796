import { Group, MultiSelect, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ReportDescription } from '#domain/reports/endpoints.ts'
import { maxGroups } from '#domain/reports/report.ts'
import type { ListState } from '#web/list/list-state.ts'

type Props = { report: ReportDescription; by: readonly string[]; figure: string | undefined; list: ListState }

/** Selects the groups, a pivot's figure and the comparison with a year earlier; all stored in the address. */
export function ReportGroups({ report, by, figure, list }: Props) {
  const { t } = useTranslation('reports')
  const data = report.groups.map(({ key, label }) => ({ value: key, label }))
  const setBy = (keys: readonly string[]) => {
    const groupKeys = keys.join(',')
    list.set({ by: groupKeys === report.by.join(',') ? null : groupKeys })
  }
  const renderSelect = (label: string, index: number) => (
    <Select
      size="sm"
      label={label}
      data={data.filter(({ value }) => value === by[index] || !by.includes(value))}
      value={by[index] ?? null}
      allowDeselect={false}
      onChange={(value) => value && setBy(by.map((key, position) => (position === index ? value : key)))}
    />
  )
  return (
    <Group gap="sm" px="md" pb="sm" align="flex-end" className="no-print">
      {report.shape === 'pivot' ? (
        <>
          {renderSelect(t('rowsGroup'), 0)}
          {renderSelect(t('columnsGroup'), 1)}
          <Select
            size="sm"
            label={t('oneFigure')}
            data={report.figures.map(({ key, label }) => ({ value: key, label }))}
            value={figure ?? null}
            allowDeselect={false}
            onChange={(value) => list.set({ figure: value === report.figures[0]!.key ? null : value })}
          />
        </>
      ) : (
        <MultiSelect
          size="sm"
          style={{ flex: '1 1 16rem', maxWidth: '32rem' }}
          label={t('groupedBy')}
          data={data}
          value={[...by]}
          maxValues={maxGroups}
          onChange={(keys) => keys.length > 0 && setBy(keys)}
        />
      )}
      {report.compares && (
        <Select
          size="sm"
          miw="min(270px, 100%)"
          label={t('compare')}
          data={(['season', 'calendar', 'no'] as const).map((value) => ({ value, label: t(`compareWith.${value}`) }))}
          value={list.filters.compare === 'calendar' || list.filters.compare === 'no' ? list.filters.compare : 'season'}
          allowDeselect={false}
          onChange={(value) => list.set({ compare: value === 'season' ? null : value })}
        />
      )}
    </Group>
  )
}
