import { Checkbox, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { DatePickerInput, DateTimePicker, TimePicker } from '@mantine/dates'
import type { ReactNode } from 'react'
import type { Choices, Field, FieldKind, FieldOf } from '#entities/define/field.ts'
import type { FieldValue, Titles } from '#entities/define/row.ts'
import { rupiah } from '#locales/format.ts'
import { FileInput } from './file-input.tsx'
import { MultiReferenceSelect, ReferenceSelect } from './reference-select.tsx'
import { fromWallClock, toWallClock } from './wall-clock.ts'
import { useEntityWords } from './words.ts'

/** What every control is given; `common` goes to it as it is. */
type Given = {
  common: {
    label: ReactNode
    description?: ReactNode
    error?: ReactNode
    withAsterisk: boolean
    name: string
    size: 'sm'
    disabled?: boolean
  }
  value: FieldValue | undefined
  onChange: (value: FieldValue) => void
  language: 'en' | 'id'
  title: Titles[string] | undefined
  /** Value of the field that narrows the choice; undefined when there is no such field. */
  within: string | null | undefined
  withinLabel: string
  slug: string
  placeholder: string
  clear: { 'aria-label': string }
}

const textOf = (value: Given['value']) => String(value ?? '')
const orNull = (text: string) => (text === '' ? null : text)
const optionsOf = (choices: Choices, language: 'en' | 'id') =>
  Object.entries(choices).map(([value, label]) => ({ value, label: label[language] }))
const numberProps = ({ common, value, onChange }: Given) => ({
  ...common,
  value: value === null || value === undefined ? '' : Number(value),
  onChange: (next: string | number) => onChange(next === '' ? null : Number(next)),
  allowNegative: false,
  hideControls: true,
})

/** The control of each kind. A new kind does not compile until it has one. */
const inputs: { [K in FieldKind]: (given: Given, field: FieldOf<K>) => ReactNode } = {
  text: ({ common, value, onChange }, field) => (
    <TextInput
      {...common}
      value={textOf(value)}
      maxLength={field.max}
      onChange={(event) => onChange(orNull(event.currentTarget.value))}
    />
  ),
  code: ({ common, value, onChange }, field) => (
    <TextInput
      {...common}
      value={textOf(value)}
      maxLength={field.max}
      autoComplete="off"
      maw={240}
      onChange={(event) => onChange(orNull(event.currentTarget.value))}
    />
  ),
  multiline: ({ common, value, onChange }, field) => (
    <Textarea
      {...common}
      value={textOf(value)}
      maxLength={field.max}
      onChange={(event) => onChange(orNull(event.currentTarget.value))}
    />
  ),
  email: ({ common, value, onChange }) => (
    <TextInput
      {...common}
      type="email"
      value={textOf(value)}
      onChange={(event) => onChange(orNull(event.currentTarget.value))}
    />
  ),
  phone: ({ common, value, onChange }) => (
    <TextInput
      {...common}
      type="tel"
      value={textOf(value)}
      onChange={(event) => onChange(orNull(event.currentTarget.value))}
    />
  ),
  integer: (given, field) => (
    <NumberInput {...numberProps(given)} allowDecimal={false} max={field.max} clampBehavior="none" maw={240} />
  ),
  decimal: (given) => <NumberInput {...numberProps(given)} decimalScale={2} maw={240} />,
  basisPoints: (given) => (
    <NumberInput
      {...numberProps(given)}
      value={given.value === null || given.value === undefined ? '' : Number(given.value) / 100}
      onChange={(next) => given.onChange(next === '' ? null : Math.round(Number(next) * 100))}
      decimalScale={2}
      suffix=" %"
      maw={240}
    />
  ),
  money: (given) => <NumberInput {...numberProps(given)} allowDecimal={false} prefix="Rp " maw={280} />,
  moneyList: ({ common, value, onChange, placeholder }) => (
    <TagsInput
      {...common}
      placeholder={placeholder}
      value={((value as number[] | null) ?? []).map(rupiah)}
      inputMode="numeric"
      onChange={(tags) => {
        const amounts = [...new Set(tags.map((tag) => Number(tag.replace(/\D/g, ''))).filter((amount) => amount > 0))]
        onChange(amounts.length > 0 ? amounts.toSorted((a, b) => a - b) : null)
      }}
    />
  ),
  date: ({ common, value, onChange, clear }, field) => (
    <DatePickerInput
      {...common}
      value={(value as string) ?? null}
      onChange={onChange}
      clearable={!!field.optional}
      clearButtonProps={clear}
      maw={320}
    />
  ),
  dateTime: ({ common, value, onChange, clear }, field) => (
    <DateTimePicker
      {...common}
      value={value ? toWallClock(String(value)) : null}
      onChange={(next) => onChange(next ? fromWallClock(next) : null)}
      valueFormat="DD MMMM YYYY, HH.mm"
      clearable={!!field.optional}
      clearButtonProps={clear}
      maw={320}
    />
  ),
  time: ({ common, value, onChange }) => (
    <TimePicker
      {...common}
      format="24h"
      withDropdown
      value={textOf(value)}
      onChange={(next) => onChange(orNull(next.slice(0, 5)))}
      maw={160}
    />
  ),
  boolean: ({ common: { withAsterisk: _, ...common }, value, onChange }) => (
    <Switch {...common} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
  ),
  choice: ({ common, value, onChange, language, placeholder }, field) => (
    <Select
      {...common}
      placeholder={placeholder}
      data={optionsOf(field.choices, language)}
      value={(value as string) ?? null}
      onChange={onChange}
      clearable={!!field.optional}
      allowDeselect={!!field.optional}
      maw={480}
    />
  ),
  multiChoice: ({ common, value, onChange, language }, field) => (
    <Checkbox.Group
      {...common}
      value={(value as string[]) ?? []}
      onChange={(next) => onChange(next.length > 0 ? next : null)}
    >
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: '8px 20px', paddingTop: 8 }}>
        {optionsOf(field.choices, language).map((option) => (
          <Checkbox key={option.value} size="sm" value={option.value} label={option.label} />
        ))}
      </div>
    </Checkbox.Group>
  ),
  reference: ({ common, value, onChange, title, within, withinLabel }, field) => (
    <ReferenceSelect
      {...common}
      to={field.to}
      value={(value as string) ?? null}
      title={typeof title === 'string' ? title : undefined}
      onChange={onChange}
      clearable={!!field.optional}
      parent={within}
      parentLabel={withinLabel}
    />
  ),
  multiReference: ({ common, value, onChange }, field) => (
    <MultiReferenceSelect
      {...common}
      to={field.to}
      value={(value as string[]) ?? []}
      onChange={(next) => onChange(next.length > 0 ? next : null)}
    />
  ),
  file: ({ common, value, onChange, title, slug }, field) => (
    <FileInput
      {...common}
      slug={slug}
      field={field}
      value={(value as string) ?? null}
      title={typeof title === 'string' ? title : undefined}
      onChange={onChange}
    />
  ),
}

type Props = Pick<Given, 'value' | 'onChange' | 'title' | 'slug'> & {
  name: string
  field: Field
  error?: string
  within?: string | null
  withinLabel?: string
  disabled?: boolean
}

export function FieldInput({ name, field, error, withinLabel = '', disabled, ...rest }: Props) {
  const { say, language, t } = useEntityWords()
  const pattern = 'pattern' in field ? field.pattern : undefined
  // A code is written as people expect it; its rule is told only to those who broke it.
  const help = field.help ?? (field.kind === 'code' ? undefined : pattern?.label)
  const common = {
    name,
    label: say(field.label),
    description: help ? say(help) : undefined,
    error: error && pattern && rest.value && !help ? `${error} ${say(pattern.label)}.` : error,
    size: 'sm' as const,
    withAsterisk: !field.optional && field.kind !== 'boolean',
    disabled,
  }
  const placeholder = field.kind === 'moneyList' ? t('addAmount') : t('choose')
  const given: Given = {
    common,
    language,
    withinLabel,
    placeholder,
    within: undefined,
    clear: { 'aria-label': t('clear') },
    ...rest,
  }
  return (inputs[field.kind] as (given: Given, field: Field) => ReactNode)(given, field)
}
