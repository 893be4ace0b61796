import { Group, Input, Select, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { monthsFor } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/words.tsx'

type Props = {
  label: string
  value: string | null
  onChange: (value: string | null) => void
  error?: string | undefined
  required?: boolean
}

const partsOf = (value: string | null) => {
  const [year = '', month = '', day = ''] = value?.split('-') ?? []
  return { day: day.replace(/^0/, ''), month: month.replace(/^0/, ''), year }
}

/** Null for a day that does not exist, such as 31 February. */
function dateOf({ day, month, year }: ReturnType<typeof partsOf>): string | null {
  if (!/^\d{4}$/.test(year) || !day || !month) return null
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const parsed = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== date ? null : date
}

/** Separate fields for day, month and year: a calendar would have to be paged back eighteen years. */
export function BirthDateField({ label, value, onChange, error, required }: Props) {
  const { t } = useTranslation('applicants')
  const { language } = useSurroundings()
  const [parts, setParts] = useState(() => partsOf(value))
  useEffect(() => {
    if (value && value !== dateOf(parts)) setParts(partsOf(value))
  }, [value, parts])

  const changePart = (part: keyof typeof parts, text: string) => {
    const next = { ...parts, [part]: text }
    setParts(next)
    const date = dateOf(next)
    if (date !== value) onChange(date)
  }
  const isImpossible = parts.day && parts.month && /^\d{4}$/.test(parts.year) && !dateOf(parts)
  const months = monthsFor(language, 'long')
  return (
    <Input.Wrapper
      size="md"
      component="fieldset"
      label={label}
      labelElement="div"
      error={error ?? (isImpossible ? t('date.impossible') : undefined)}
      withAsterisk={false}
      style={{ border: 0, padding: 0, margin: 0 }}
      aria-label={label}
    >
      <Group gap="xs" align="flex-start">
        <TextInput
          aria-label={`${label}: ${t('date.day')}`}
          placeholder={t('date.day')}
          inputMode="numeric"
          autoComplete="bday-day"
          maxLength={2}
          w="4.5rem"
          required={required ?? false}
          value={parts.day}
          error={Boolean(error)}
          onChange={(event) => changePart('day', event.currentTarget.value.replace(/\D/g, ''))}
        />
        <Select
          aria-label={`${label}: ${t('date.month')}`}
          placeholder={t('date.month')}
          style={{ flex: '1 1 9rem' }}
          data={Array.from({ length: 12 }, (_, index) => ({
            value: String(index + 1),
            label: months[index]!,
          }))}
          value={parts.month || null}
          error={Boolean(error)}
          onChange={(chosenMonth) => changePart('month', chosenMonth ?? '')}
        />
        <TextInput
          aria-label={`${label}: ${t('date.year')}`}
          placeholder={t('date.year')}
          inputMode="numeric"
          autoComplete="bday-year"
          maxLength={4}
          w="6rem"
          value={parts.year}
          error={Boolean(error)}
          onChange={(event) => changePart('year', event.currentTarget.value.replace(/\D/g, ''))}
        />
      </Group>
    </Input.Wrapper>
  )
}
