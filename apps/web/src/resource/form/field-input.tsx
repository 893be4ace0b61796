import { Checkbox, Group, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { ChangeEvent, ReactNode } from 'react'
import type { Entity } from '#entities/define/entity.ts'
import { declaredField } from '#entities/define/entity.ts'
import type { Choices, Field, FieldKind, FieldOf } from '#entities/define/field.ts'
import type { FieldValue, Titles } from '#entities/define/row.ts'
import { rupiah } from '#locales/format.ts'
import { fromWallClock, toWallClock } from '#web/resource/wall-clock.ts'
import { useEntityWords } from '#web/resource/words.ts'
import { DatePickerInput, DateTimePicker, TimePicker } from '#web/ui/form/dates.ts'
import { rupiahNotation } from '#web/ui/form/money-input.tsx'
import { FileInput } from './file-input.tsx'
import { MultiReferenceSelect, ReferenceSelect } from './reference-select.tsx'

type Props = {
  entity: Entity
  name: string
  /** Values of the whole row, since one field's options may depend on another. */
  values: Record<string, FieldValue>
  onChange: (value: FieldValue) => void
  title?: Titles[string]
  error?: ReactNode
}

/** Field, value and texts for a control; `common` are props every control takes. */
function useControl({ entity, name, values, onChange, title, error }: Props) {
  const words = useEntityWords()
  const field = declaredField(entity, name)
  const value = values[name] ?? null
  const pattern = 'pattern' in field ? field.pattern : undefined
  // Most codes follow the expected pattern, so its rule appears only beside an error.
  const help = field.help ?? (field.kind === 'code' ? undefined : pattern?.label)
  const explainsPattern = pattern && value && !help && !new RegExp(pattern.source).test(String(value).trim())
  const common = {
    name,
    label: words.say(field.label),
    description: help && words.say(help),
    error: error && explainsPattern ? `${error} ${words.say(pattern.label)}.` : error,
    size: 'sm' as const,
    withAsterisk: !field.optional && field.kind !== 'boolean',
    value: value as string | null,
    onChange,
  }
  return { entity, field, values, words, common, value, onChange, title: typeof title === 'string' ? title : undefined }
}
type Control = ReturnType<typeof useControl>

const textPropsOf = ({ common, value, onChange }: Control) => ({
  ...common,
  value: String(value ?? ''),
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.currentTarget.value || null),
})
/** Props for a number stored in fractions of the displayed unit: 10,000 basis points are 100 %. */
const numberPropsOf = ({ common, value, onChange }: Control, partsPerUnit = 1) => ({
  ...common,
  value: value === null ? '' : Number(value) / partsPerUnit,
  onChange: (input: string | number) =>
    onChange(input === '' ? null : partsPerUnit === 1 ? Number(input) : Math.round(Number(input) * partsPerUnit)),
  hideControls: true,
  // A sign, a decimal point and the fifteen digits that JavaScript keeps exact.
  maxLength: 17,
  maw: 240,
})
const choicePropsOf = ({ common, field, words }: Control) => ({
  ...common,
  clearable: !!field.optional,
  clearButtonProps: { 'aria-label': words.t('clear') },
  maw: 320,
})
const listPropsOf = ({ common, value, onChange }: Control) => ({
  ...common,
  value: (value ?? []) as string[],
  onChange: (list: string[] | number[]) => onChange(list.length > 0 ? list : null),
})
const optionsOf = (choices: Choices, { say }: Control['words']) =>
  Object.entries(choices).map(([value, label]) => ({ value, label: say(label) }))
const amountsOf = (tags: string[]) =>
  [...new Set(tags.map((tag) => Number(tag.replace(/\D/g, ''))))].filter(Boolean).toSorted((a, b) => a - b)

/** Control for each kind of field; a kind without one does not compile. */
const inputs: { [K in FieldKind]: (control: Control, field: FieldOf<K>) => ReactNode } = {
  // Without `maxLength`, which would cut a pasted text: a sentence beside the field says what is too long.
  text: (control) => <TextInput {...textPropsOf(control)} />,
  code: (control) => <TextInput {...textPropsOf(control)} autoComplete="off" maw={240} />,
  multiline: (control) => <Textarea {...textPropsOf(control)} />,
  email: (control) => <TextInput {...textPropsOf(control)} type="email" />,
  phone: (control) => <TextInput {...textPropsOf(control)} type="tel" />,
  integer: (control, { max }) => (
    <NumberInput {...numberPropsOf(control)} allowDecimal={false} max={max} clampBehavior="none" />
  ),
  decimal: (control) => <NumberInput {...numberPropsOf(control)} decimalScale={2} />,
  basisPoints: (control) => <NumberInput {...numberPropsOf(control, 100)} decimalScale={2} suffix=" %" />,
  money: (control) => <NumberInput {...numberPropsOf(control)} {...rupiahNotation} maw={280} />,
  moneyList: (control) => (
    <TagsInput
      {...listPropsOf(control)}
      placeholder={control.words.t('addAmount')}
      inputMode="numeric"
      value={listPropsOf(control).value.map((amount) => rupiah(Number(amount)))}
      onChange={(tags) => listPropsOf(control).onChange(amountsOf(tags))}
    />
  ),
  date: (control) => <DatePickerInput {...choicePropsOf(control)} />,
  dateTime: (control) => (
    <DateTimePicker
      {...choicePropsOf(control)}
      value={control.value ? toWallClock(String(control.value)) : null}
      onChange={(next) => control.onChange(next ? fromWallClock(next) : null)}
      valueFormat="DD MMMM YYYY, HH.mm"
    />
  ),
  time: (control) => (
    <TimePicker
      {...textPropsOf(control)}
      format="24h"
      withDropdown
      onChange={(next) => control.onChange(next.slice(0, 5) || null)}
      maw={160}
    />
  ),
  boolean: ({ common: { withAsterisk: _, value: __, ...common }, value, onChange }) => (
    <Switch {...common} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
  ),
  choice: (control, field) => (
    <Select
      {...choicePropsOf(control)}
      placeholder={control.words.t('choose')}
      data={optionsOf(field.choices, control.words)}
      allowDeselect={!!field.optional}
      maw={480}
    />
  ),
  multiChoice: (control, field) => (
    <Checkbox.Group {...listPropsOf(control)}>
      <Group gap="8px 20px" pt={8}>
        {optionsOf(field.choices, control.words).map((option) => (
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
  multiReference: (control, { to }) => <MultiReferenceSelect {...listPropsOf(control)} to={to} />,
  file: ({ common, entity, title }, field) => <FileInput {...common} {...{ field, title }} slug={entity.slug} />,
}

export function FieldInput(props: Props) {
  const control = useControl(props)
  return (inputs[control.field.kind] as (control: Control, field: Field) => ReactNode)(control, control.field)
}
