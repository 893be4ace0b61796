import { MultiSelect, Select } from '@mantine/core'
import { useState } from 'react'
import { getEntity } from '#entities/index.ts'
import { type ChoiceProps, useChoices } from '#web/list/bar/row-choice.tsx'
import { useEntityWords } from '#web/resource/words.ts'
import { useCreateInPlace } from './create-in-place.tsx'

type SelectProps = ChoiceProps & {
  to: string
  value: string | null
  /** Name of the chosen row until it has loaded. */
  title?: string
  onChange: (value: string | null) => void
  clearable?: boolean
  /** Parent of the offered rows; null until a parent is chosen. */
  parent?: string | null
  parentLabel?: string
}

/** Value of the option that adds a row instead of choosing one. */
const addNew = 'new'

/** The option that adds a row, and its action; absent without permission. */
function useAdding(to: string, parent?: string | null) {
  const { t, noun } = useEntityWords()
  const create = useCreateInPlace(to, parent)
  return { create, entry: create ? [{ value: addNew, label: `+ ${t('add', { noun: noun(getEntity(to)) })}` }] : [] }
}

export function ReferenceSelect({ to, value, title, onChange, parent, parentLabel, disabled, ...common }: SelectProps) {
  const [typedText, setTyped] = useState('')
  const { selectProps, t } = useChoices(to, typedText, value ? [value] : [], parent, title)
  const { create, entry } = useAdding(to, parent)
  return (
    <Select
      {...common}
      {...selectProps}
      data={[...selectProps.data, ...entry]}
      placeholder={parent === null ? t('chooseFirst', { name: parentLabel }) : t('choose')}
      disabled={disabled || parent === null}
      value={value}
      onChange={(next) => {
        setTyped('')
        if (next === addNew) create?.(typedText, ({ id }) => onChange(id))
        else onChange(next)
      }}
      allowDeselect={!!common.clearable}
      // The input also holds the chosen row's name, so only typed text is searched.
      onInput={(event) => setTyped(event.currentTarget.value)}
      onDropdownClose={() => setTyped('')}
    />
  )
}

type MultiProps = ChoiceProps & { to: string; value: string[]; onChange: (value: string[]) => void }

export function MultiReferenceSelect({ to, value, onChange, ...common }: MultiProps) {
  const [typedText, setTyped] = useState('')
  const { selectProps, t } = useChoices(to, typedText, value)
  const { create, entry } = useAdding(to)
  return (
    <MultiSelect
      {...common}
      {...selectProps}
      data={[...selectProps.data, ...entry]}
      placeholder={value.length === 0 ? t('choose') : undefined}
      value={value}
      onChange={(next) =>
        next.includes(addNew) ? create?.(typedText, ({ id }) => onChange([...value, id])) : onChange(next)
      }
      searchValue={typedText}
      onSearchChange={setTyped}
      hidePickedOptions
    />
  )
}
