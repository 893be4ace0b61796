import { Box, Button, Group, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Survey } from '#domain/surveys/endpoints.ts'
import { languages } from '#entities/define/language.ts'
import { ReferenceSelect } from '#web/resource/form/reference-select.tsx'
import { DatePickerInput } from '#web/ui/form/dates.ts'
import { useResultFilter } from './use-result-filter.ts'

export function ResultFilter({ survey: { links, published } }: { survey: Survey }) {
  const { t } = useTranslation('surveys')
  const { filter, change, clear, isSet } = useResultFilter()
  const versions = Array.from({ length: published ?? 0 }, (_, index) => String(index + 1))
  return (
    <Group align="end" gap="sm" className="no-print">
      <Select
        label={t('filter.link')}
        placeholder={t('filter.allLinks')}
        data={links.map(({ id, name }) => ({ value: id, label: name }))}
        value={filter.linkId ?? null}
        onChange={(linkId) => change({ linkId })}
        clearable
        clearButtonProps={{ 'aria-label': t('filter.clear') }}
        w={220}
      />
      <Box w={240}>
        <ReferenceSelect
          to="sma-nama"
          label={t('filter.school')}
          value={filter.schoolId ?? null}
          onChange={(schoolId) => change({ schoolId })}
          clearable
        />
      </Box>
      <DatePickerInput
        label={t('column.from')}
        valueFormat="DD MMM YYYY"
        value={filter.from ?? null}
        onChange={(from) => change({ from })}
        clearable
        clearButtonProps={{ 'aria-label': t('filter.clear') }}
        w={170}
      />
      <DatePickerInput
        label={t('column.to')}
        valueFormat="DD MMM YYYY"
        value={filter.to ?? null}
        onChange={(to) => change({ to })}
        clearable
        clearButtonProps={{ 'aria-label': t('filter.clear') }}
        w={170}
      />
      <Select
        label={t('filter.language')}
        placeholder={t('filter.allLanguages')}
        data={languages.map((value) => ({ value, label: t(`languageName.${value}`) }))}
        value={filter.language ?? null}
        onChange={(language) => change({ language })}
        clearable
        clearButtonProps={{ 'aria-label': t('filter.clear') }}
        w={170}
      />
      {versions.length > 1 && (
        <Select
          label={t('filter.version')}
          placeholder={t('filter.allVersions')}
          data={versions.map((value) => ({ value, label: t('filter.versionNumber', { number: value }) }))}
          value={filter.version ?? null}
          onChange={(version) => change({ version })}
          clearable
          clearButtonProps={{ 'aria-label': t('filter.clear') }}
          w={150}
        />
      )}
      {isSet && (
        <Button variant="subtle" onClick={clear}>
          {t('filter.clear')}
        </Button>
      )}
    </Group>
  )
}
