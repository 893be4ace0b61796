import { Select, type SelectProps } from '@mantine/core'

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  rows: readonly { id: string; name: string }[]
  value: string | null | undefined
  onChange: (id: string | null) => void
}

/** Selects one of some rows by name; the choice cannot be cleared. */
export const RowSelect = ({ rows, value = null, ...select }: Props) => (
  <Select
    size="sm"
    value={value}
    data={rows.map(({ id, name }) => ({ value: id, label: name }))}
    allowDeselect={false}
    {...select}
  />
)
