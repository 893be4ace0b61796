import { useOptionTitle } from '#web/list/row-choice.tsx'
import type { Filter } from '#web/list/types.ts'
import { ReferenceSelect } from '../../resource/reference-select.tsx'

const CityName = ({ id }: { id: string }) => useOptionTitle('kota', id) ?? '…'

/** Rows of one city. */
export const cityFilter = (label: string): Filter => ({
  key: 'cityId',
  label,
  kind: 'custom',
  control: (value, onChange) => (
    <ReferenceSelect
      to="kota"
      label={label}
      size="sm"
      value={value}
      onChange={onChange}
      clearable
      comboboxProps={{ withinPortal: false }}
    />
  ),
  chip: (value) => <CityName id={value} />,
})
