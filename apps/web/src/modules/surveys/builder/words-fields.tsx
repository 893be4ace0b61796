import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Words } from '#domain/surveys/definition.ts'
import { bindingsOf } from '#web/ui/form/use-values.ts'
import type { Builder } from './use-builder.ts'

type Props = {
  /** Path of the text in the request, such as `draft.questions.0.label`. */
  name: string
  label: string
  value: Words | undefined
  onChange: (words: Words) => void
  field: Builder['field']
  multiline?: boolean
  description?: string
}

/** Fields for a text in both languages. */
export function WordsFields({ name, label, value, onChange, field, multiline, description }: Props) {
  const { t } = useTranslation('survey-builder')
  const words = value ?? { id: '', en: '' }
  const Input = multiline ? Textarea : TextInput
  const { text } = bindingsOf(
    words,
    (change) => onChange({ ...words, ...change }),
    (language) => field(`${name}.${language}`),
  )
  const props = (language: 'id' | 'en') => ({
    label: t(language === 'id' ? 'inLanguage' : 'inEnglish', { field: label }),
    description,
    lang: language,
    ...text(language),
    ...(multiline && { autosize: true, minRows: 2 }),
  })
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <Input {...props('id')} />
      <Input {...props('en')} />
    </SimpleGrid>
  )
}
