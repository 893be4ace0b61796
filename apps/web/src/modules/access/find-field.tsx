import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

type Props = Omit<TextInputProps, 'value' | 'onChange'> & {
  label: string
  value: string
  onChange: (query: string) => void
}

/** Filters the rows already on the page. */
export const FindField = ({ label, onChange, ...field }: Props) => (
  <TextInput
    type="search"
    size="sm"
    maw={380}
    aria-label={label}
    placeholder={label}
    leftSection={<IconSearch size={16} aria-hidden />}
    onChange={(event) => onChange(event.currentTarget.value)}
    {...field}
  />
)
