import { Button, Group, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from '#web/ui/failure.tsx'
import type { useSaving } from './use-saving.ts'

type Props = {
  saving: Pick<ReturnType<typeof useSaving>, 'run' | 'busy' | 'checks'>
  /** What belongs to no field. */
  refusal: string | null
  /** Nothing in it can be changed. */
  fixed?: boolean
  onBack: () => void
  /** The button that deletes, at the far end. */
  removal?: ReactNode
  children: ReactNode
}

/** A form of the settings: its fields, what was refused, its buttons. */
export function SaveForm({ saving, refusal, fixed = false, onBack, removal, children }: Props) {
  const { t } = useTranslation('common')
  return (
    <form
      {...saving.checks.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        saving.run()
      }}
    >
      <Stack gap="md" maw={560}>
        {children}
        <Failure>{refusal}</Failure>
      </Stack>
      <Group mt="lg">
        {!fixed && <Button type="submit" loading={saving.busy} children={t('actions.save')} />}
        <Button variant="subtle" onClick={onBack} children={t(fixed ? 'actions.back' : 'actions.cancel')} />
        {removal}
      </Group>
    </form>
  )
}

type Names = { en: string; id: string }
type NameProps = {
  labels: Names
  values: Names
  field: ReturnType<typeof useSaving>['field']
  readOnly?: boolean
  onChange: (change: Partial<Names>) => void
}

/** A name in both languages. */
export const NameFields = ({ labels, values, field, readOnly = false, onChange }: NameProps) =>
  (['en', 'id'] as const).map((language) => (
    <TextInput
      key={language}
      size="sm"
      withAsterisk
      label={labels[language]}
      readOnly={readOnly}
      value={values[language]}
      {...field(`name.${language}`)}
      onChange={(event) => onChange({ [language]: event.currentTarget.value })}
    />
  ))
