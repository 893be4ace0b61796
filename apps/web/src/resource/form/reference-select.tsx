import { MultiSelect, Select } from '@mantine/core'
import { useState } from 'react'
import { getEntity } from '#entities/index.ts'
import { type ChoiceProps, useChoices } from '#web/list/bar/row-choice.tsx'
import { useEntityWords } from '#web/resource/words.ts'
import { useCreateInPlace } from './create-in-place.tsx'

type SelectProps = ChoiceProps & {
  to: string
  value: string | null
  /** Name of the chosen row while it is not loaded yet. */
  title?: string
  onChange: (value: string | null) => void
  clearable?: boolean
  /** Row whose own rows are offered; null while it has to be chosen first. */
  parent?: string | null
  parentLabel?: string
}

/** Value of the entry that adds a row instead of choosing one. */
const addNew = 'new'

/** That entry, where the person may add such rows, and what it does. */
function useAdding(to: string, parent?: string | null) {
  const { t, noun } = useEntityWords()
  const create = useCreateInPlace(to, parent)
  return { create, entry: create ? [{ value: addNew, label: `+ ${t('add', { noun: noun(getEntity(to)) })}` }] : [] }
}

export function ReferenceSelect({ to, value, title, onChange, parent, parentLabel, disabled, ...common }: SelectProps) {
  const [typed, setTyped] = useState('')
  const { look, t } = useChoices(to, typed, value ? [value] : [], parent, title)
  const { create, entry } = useAdding(to, parent)
  return (
    <Select
      {...common}
      {...look}
      data={[...look.data, ...entry]}
      placeholder={parent === null ? t('chooseFirst', { name: parentLabel }) : t('choose')}
      disabled={disabled || parent === null}
      value={value}
      onChange={(next) => {
        setTyped('')
        if (next === addNew) create?.(typed, ({ id }) => onChange(id))
        else onChange(next)
      }}
      allowDeselect={!!common.clearable}
      // The name of the chosen row stands in the same box: only what is typed is searched.
      onInput={(event) => setTyped(event.currentTarget.value)}
      onDropdownClose={() => setTyped('')}
    />
  )
}

type MultiProps = ChoiceProps & { to: string; value: string[]; onChange: (value: string[]) => void }

export function MultiReferenceSelect({ to, value, onChange, ...common }: MultiProps) {
  const [typed, setTyped] = useState('')
  const { look, t } = useChoices(to, typed, value)
  const { create, entry } = useAdding(to)
  return (
    <MultiSelect
      {...common}
      {...look}
      data={[...look.data, ...entry]}
      placeholder={value.length === 0 ? t('choose') : undefined}
      value={value}
      onChange={(next) =>
        next.includes(addNew) ? create?.(typed, ({ id }) => onChange([...value, id])) : onChange(next)
      }
      searchValue={typed}
      onSearchChange={setTyped}
      hidePickedOptions
    />
  )
}
