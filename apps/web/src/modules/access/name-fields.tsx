import { TextInput } from '@mantine/core'
import { type Localized, languages } from '#entities/define/language.ts'
import type { Checks } from '#web/api/use-checks.ts'

type Names = Localized
type NameProps = {
  labels: Names
  values: Names
  field: Checks['field']
  readOnly?: boolean
  onChange: (change: Partial<Names>) => void
}

export const NameFields = ({ labels, values, field, readOnly = false, onChange }: NameProps) =>
  languages.map((language) => (
    <TextInput
      key={language}
      size="sm"
      label={labels[language]}
      readOnly={readOnly}
      value={values[language]}
      {...field(`name.${language}`)}
      onChange={(event) => onChange({ [language]: event.currentTarget.value })}
    />
  ))
