import { Group, Input, NativeSelect } from '@mantine/core'
import { useEffect, useState } from 'react'
import { monthsFor } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = {
  label: string
  value: string | null
  onChange: (value: string | null) => void
  error?: string | undefined
  wrapperProps?: { 'data-field': string }
  required?: boolean
  /** First and last year to choose from; by default those of a birth. */
  years?: readonly [first: number, last: number]
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

const birthYears = () => [new Date().getFullYear() - 10, 1930] as const
const numbers = (first: number, last: number) =>
  Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => String(first < last ? first + index : first - index))

/** Lists for day, month and year, since a calendar would have to be paged back eighteen years. */
export function BirthDateField(props: Props) {
  const { label, value, onChange, error, wrapperProps, required, years = birthYears() } = props
  const { language, say } = useSurroundings()
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
  const part = (
    name: keyof typeof parts,
    data: (string | { value: string; label: string })[],
    autoComplete: string,
  ) => (
    <NativeSelect
      size="md"
      aria-label={`${label}: ${say(`date.${name}`)}`}
      autoComplete={autoComplete}
      // As wide as the longest choice, such as September.
      style={{ flex: '1 0 auto', maxWidth: '100%' }}
      data={[{ value: '', label: say(`date.${name}`) }, ...data]}
      value={parts[name]}
      required={required ?? false}
      error={Boolean(error)}
      onChange={(event) => changePart(name, event.currentTarget.value)}
    />
  )
  return (
    <Input.Wrapper
      {...wrapperProps}
      size="md"
      component="fieldset"
      label={label}
      labelElement="div"
      error={error ?? (isImpossible ? say('date.impossible') : undefined)}
      withAsterisk={false}
      style={{ border: 0, padding: 0, margin: 0 }}
      aria-label={label}
    >
      <Group gap="xs" align="flex-start">
        {part('day', numbers(1, 31), 'bday-day')}
        {part(
          'month',
          months.map((label, index) => ({ value: String(index + 1), label })),
          'bday-month',
        )}
        {part('year', numbers(...years), 'bday-year')}
      </Group>
    </Input.Wrapper>
  )
}
