import { TextInput } from '@mantine/core'
import { type Localized, languages } from '#entities/define/language.ts'
import type { Bindings } from '#web/api/use-form.ts'

/** Names of a record as values of its form, by their paths in the body. */
type NameValues = Record<`name.${keyof Localized}`, string>

export const startOfNames = (name?: Localized): NameValues => ({
  'name.en': name?.en ?? '',
  'name.id': name?.id ?? '',
})

export const namesOf = (values: NameValues): Localized => ({ en: values['name.en'], id: values['name.id'] })

type NameProps = { labels: Localized; form: Bindings<NameValues>; readOnly?: boolean }

export const NameFields = ({ labels, form, readOnly = false }: NameProps) =>
  languages.map((language) => (
    <TextInput
      key={language}
      size="sm"
      label={labels[language]}
      readOnly={readOnly}
      {...form.text(`name.${language}`)}
    />
  ))
