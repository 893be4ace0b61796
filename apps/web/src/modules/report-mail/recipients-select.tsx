import { Loader, MultiSelect, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findMailRecipients, type MailRecipient } from '#domain/report-mail/endpoints.ts'
import type { ReportSlug } from '#domain/reports/report-names.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { CheckedField } from '#web/api/use-checks.ts'

type Props = CheckedField & {
  report: ReportSlug
  /** People whose names are known before the first search. */
  known: readonly MailRecipient[]
  value: string[]
  onChange: (ids: string[]) => void
}

/** Selects staff who may open a report, by name or role. */
export function RecipientsSelect({ report, known, value, onChange, ...field }: Props) {
  const { t } = useTranslation('report-mail')
  const [typedText, setTyped] = useState('')
  const [q] = useDebouncedValue(typedText.trim(), 200)
  const { data, error, isFetching } = useEndpoint(
    findMailRecipients,
    { query: { report, ...(q && { q }) } },
    { placeholderData: keepPreviousData },
  )
  // Keeps the names of chosen people when a later search does not find them.
  const people = useRef(new Map(known.map((person) => [person.id, person]))).current
  for (const person of data?.data ?? []) people.set(person.id, person)
  const ids = new Set([...value, ...(data?.data ?? []).map(({ id }) => id)])
  return (
    <MultiSelect
      {...field}
      label={t('form.recipients')}
      description={t('form.recipientsHint')}
      data={[...ids].map((id) => ({ value: id, label: people.get(id)?.name ?? '…' }))}
      renderOption={({ option }) => {
        const person = people.get(option.value)
        return (
          <div>
            {option.label}
            {person && (
              <Text size="xs" c="dimmed">
                {person.role} · {person.email}
              </Text>
            )}
          </div>
        )
      }}
      searchable
      hidePickedOptions
      // The server has already searched.
      filter={({ options }) => options}
      nothingFoundMessage={error?.message ?? (isFetching ? undefined : t('form.nobody'))}
      rightSection={isFetching ? <Loader size={16} /> : undefined}
      searchValue={typedText}
      onSearchChange={setTyped}
      value={value}
      onChange={onChange}
    />
  )
}
