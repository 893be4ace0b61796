import { TextInput, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SectionFields } from './section-fields.ts'

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'label' | 'error'> & {
  of: SectionFields
  field:
    | 'fullName'
    | 'birthPlace'
    | 'nik'
    | 'nisn'
    | 'phone'
    | 'motherName'
    | 'fatherName'
    | 'guardianName'
    | 'guardianPhone'
    | 'address'
    | 'rt'
    | 'rw'
    | 'postalCode'
  help?: ReactNode
  /** Instead of the usual one, where there is little room. */
  short?: string
}

/** One line of text of the profile. */
export const TextAnswer = ({ of, field, help, short, ...input }: Props) => (
  <TextInput
    {...input}
    label={short ?? of.label(field)}
    description={help}
    value={of.answers[field] ?? ''}
    onChange={(event) => of.set({ [field]: event.currentTarget.value })}
    onBlur={() => of.leave(field)}
    error={of.error(field)}
  />
)
