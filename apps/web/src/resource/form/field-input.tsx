import { Checkbox, Group, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { DatePickerInput, DateTimePicker, TimePicker } from '@mantine/dates'
import type { ChangeEvent, ReactNode } from 'react'
import type { Entity } from '#entities/define/entity.ts'
import type { Choices, Field, FieldKind, FieldOf } from '#entities/define/field.ts'

import type { FieldValue, Titles } from '#entities/define/row.ts'
import { rupiah } from '#locales/format.ts'
import { fromWallClock, toWallClock } from '#web/resource/wall-clock.ts'
import { useEntityWords } from '#web/resource/words.ts'
import { FileInput } from './file-input.tsx'
import { MultiReferenceSelect, ReferenceSelect } from './reference-select.tsx'

type Props = {
  entity: Entity
  name: string
  /** Of the whole row: a choice may depend on another field. */
  values: Record<string, FieldValue>
  onChange: (value: FieldValue) => void
  title?: Titles[string]
  error?: ReactNode
}

/** What every control is given; `common` goes to it as it is. */
function useGiven({ entity, name, values, onChange, title, error }: Props) {
  const words = useEntityWords()
  const field = entity.fields[name]!
  const value = values[name] ?? null
  const pattern = 'pattern' in field ? field.pattern : undefined
  // A code is written as people expect it; its rule is told only to those who broke it.
  const help = field.help ?? (field.kind === 'code' ? undefined : pattern?.label)
  const common = {
    name,
    label: words.say(field.label),
    description: help && words.say(help),
    error: error && pattern && value && !help ? `${error} ${words.say(pattern.label)}.` : error,
    size: 'sm' as const,
    withAsterisk: !field.optional && field.kind !== 'boolean',
    value: value as string | null,
    onChange,
  }
  return { entity, field, values, words, common, value, onChange, title: typeof title === 'string' ? title : undefined }
}
type Given = ReturnType<typeof useGiven>

const typed = ({ common, value, onChange }: Given) => ({
  ...common,
  value: String(value ?? ''),
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.currentTarget.value || null),
})
/** A number kept in parts of what is shown: 10,000 basis points are 100 %. */
const numeric = ({ common, value, onChange }: Given, parts = 1) => ({
  ...common,
  value: value === null ? '' : Number(value) / parts,
  onChange: (shown: string | number) =>
    onChange(shown === '' ? null : parts === 1 ? Number(shown) : Math.round(Number(shown) * parts)),
  allowNegative: false,
  hideControls: true,
  maw: 240,
})
const chosen = ({ common, field, words }: Given) => ({
  ...common,
  clearable: !!field.optional,
  clearButtonProps: { 'aria-label': words.t('clear') },
  maw: 320,
})
const listed = ({ common, value, onChange }: Given) => ({
  ...common,
  value: (value ?? []) as string[],
  onChange: (list: string[] | number[]) => onChange(list.length > 0 ? list : null),
})
const optionsOf = (choices: Choices, { say }: Given['words']) =>
  Object.entries(choices).map(([value, label]) => ({ value, label: say(label) }))
const amountsOf = (tags: string[]) =>
  [...new Set(tags.map((tag) => Number(tag.replace(/\D/g, ''))))].filter(Boolean).toSorted((a, b) => a - b)

/** The control of each kind. A new kind does not compile until it has one. */
const inputs: { [K in FieldKind]: (given: Given, field: FieldOf<K>) => ReactNode } = {
  text: (given, { max }) => <TextInput {...typed(given)} maxLength={max} />,
  code: (given, { max }) => <TextInput {...typed(given)} maxLength={max} autoComplete="off" maw={240} />,
  multiline: (given, { max }) => <Textarea {...typed(given)} maxLength={max} />,
  email: (given) => <TextInput {...typed(given)} type="email" />,
  phone: (given) => <TextInput {...typed(given)} type="tel" />,
  integer: (given, { max }) => <NumberInput {...numeric(given)} allowDecimal={false} max={max} clampBehavior="none" />,
  decimal: (given) => <NumberInput {...numeric(given)} decimalScale={2} />,
  basisPoints: (given) => <NumberInput {...numeric(given, 100)} decimalScale={2} suffix=" %" />,
  money: (given) => <NumberInput {...numeric(given)} allowDecimal={false} prefix="Rp " maw={280} />,
  moneyList: (given) => (
    <TagsInput
      {...listed(given)}
      placeholder={given.words.t('addAmount')}
      inputMode="numeric"
      value={listed(given).value.map((amount) => rupiah(Number(amount)))}
      onChange={(tags) => listed(given).onChange(amountsOf(tags))}
    />
  ),
  date: (given) => <DatePickerInput {...chosen(given)} />,
  dateTime: (given) => (
    <DateTimePicker
      {...chosen(given)}
      value={given.value ? toWallClock(String(given.value)) : null}
      onChange={(next) => given.onChange(next ? fromWallClock(next) : null)}
      valueFormat="DD MMMM YYYY, HH.mm"
    />
  ),
  time: (given) => (
    <TimePicker
      {...typed(given)}
      format="24h"
      withDropdown
      onChange={(next) => given.onChange(next.slice(0, 5) || null)}
      maw={160}
    />
  ),
  boolean: ({ common: { withAsterisk: _, value: __, ...common }, value, onChange }) => (
    <Switch {...common} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
  ),
  choice: (given, field) => (
    <Select
      {...chosen(given)}
      placeholder={given.words.t('choose')}
      data={optionsOf(field.choices, given.words)}
      allowDeselect={!!field.optional}
      maw={480}
    />
  ),
  multiChoice: (given, field) => (
    <Checkbox.Group {...listed(given)}>
      <Group gap="8px 20px" pt={8}>
        {optionsOf(field.choices, given.words).map((option) => (
          <Checkbox key={option.value} size="sm" {...option} />
        ))}
      </Group>
    </Checkbox.Group>
  ),
  reference: ({ common, entity, values, words, title }, { to, within, optional }) => (
    <ReferenceSelect
      {...common}
      to={to}
      title={title}
      clearable={!!optional}
      parent={within && (values[within] as string | null)}
      parentLabel={within && words.labelOf(entity, within).toLowerCase()}
    />
  ),
  multiReference: (given, { to }) => <MultiReferenceSelect {...listed(given)} to={to} />,
  file: ({ common, entity, title }, field) => <FileInput {...common} {...{ field, title }} slug={entity.slug} />,
}

export function FieldInput(props: Props) {
  const given = useGiven(props)
  return (inputs[given.field.kind] as (given: Given, field: Field) => ReactNode)(given, given.field)
}
