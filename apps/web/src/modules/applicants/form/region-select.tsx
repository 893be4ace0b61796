import { Loader, type OptionsFilter, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { listRegions, type RegionLevel } from '#domain/applicants/endpoints.ts'
import { isProvinceMeant } from '#domain/applicants/province-names.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useMissing } from '#web/ui/states/missing.tsx'

export type Region = { id: string; name: string; postalCode: string | null }

type Props = {
  level: RegionLevel
  label: string
  /** Id of the parent region; without it the select is disabled. */
  parentId?: string | null | undefined
  parentLabel?: string
  value: string | null
  onChange: (region: Region | null) => void
  error?: string | undefined
  optional?: boolean
}

/** Provinces are also found by their everyday names. */
const provinceFilter: OptionsFilter = ({ options, search }) =>
  options.filter((option) => 'label' in option && isProvinceMeant(option.label, search))

/** One level of regions, limited to the parent region. */
export function RegionSelect({ level, label, parentId, parentLabel, value, onChange, error }: Props) {
  const { t } = useTranslation('applicants')
  const open = level === 'provinces' || Boolean(parentId)
  const missing = useMissing()
  const {
    data,
    isFetching,
    error: failure,
  } = useEndpoint(
    listRegions,
    { params: { level }, query: parentId ? { parentId } : {} },
    { enabled: open, staleTime: 3_600_000 },
  )
  const regions = open ? (data?.data ?? []) : []
  return (
    <Select
      label={label}
      searchable
      {...(level === 'provinces' && { filter: provinceFilter })}
      clearable={false}
      disabled={!open}
      description={open ? undefined : t('form.chooseAbove', { field: parentLabel })}
      placeholder={t('form.choose')}
      nothingFoundMessage={isFetching ? t('form.loading') : t('form.nothingFound')}
      rightSection={isFetching ? <Loader size="xs" /> : undefined}
      data={regions.map(({ id, name }) => ({ value: id, label: name }))}
      value={regions.some(({ id }) => id === value) ? value : null}
      onChange={(id) => onChange(regions.find((region) => region.id === id) ?? null)}
      error={error ?? missing(label, failure)}
      maxDropdownHeight={280}
    />
  )
}
