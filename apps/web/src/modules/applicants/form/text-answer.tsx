import { TextInput, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SectionFields } from './section-fields.ts'

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'label' | 'error'> & {
  section: SectionFields
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
}

/** One-line text field of the profile. */
export const TextAnswer = ({ section, field, help, ...input }: Props) => (
  <TextInput
    {...input}
    label={section.label(field)}
    description={help}
    value={section.answers[field] ?? ''}
    onChange={(event) => section.set({ [field]: event.currentTarget.value })}
    onBlur={() => section.leave(field)}
    error={section.error(field)}
  />
)
