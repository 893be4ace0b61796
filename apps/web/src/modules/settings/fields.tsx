import { NumberInput, Radio, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Settings } from '#domain/settings/settings.ts'
import { percent } from '#locales/format.ts'
import type { Section } from './use-section.ts'

type KeysOf<V> = { [K in keyof Settings]: Settings[K] extends V ? K : never }[keyof Settings]

/** Value another user saved meanwhile, shown under a field that differs from it. */
function useNote(section: Section, key: keyof Settings, format: (value: unknown) => string = String) {
  const { t } = useTranslation('settings')
  const [mine, theirs] = [section.form.values[key], section.saved[key]]
  if (!section.stale || JSON.stringify(mine) === JSON.stringify(theirs)) return undefined
  return t('savedNow', { value: format(theirs) })
}

type TextProps = { section: Section; name: KeysOf<string>; lines?: number; help?: string; type?: string }

export function TextField({ section, name, lines, help, type }: TextProps) {
  const { t } = useTranslation('settings')
  const note = useNote(section, name)
  const props = {
    label: t(`fields.${name as 'address'}`),
    description: note ?? help,
    ...section.form.text(name),
  }
  return lines ? <Textarea {...props} minRows={lines} /> : <TextInput {...props} type={type ?? 'text'} />
}

type NumberProps = {
  section: Section
  name: KeysOf<number>
  suffix?: string
  help?: string
}

/** Input for a whole number. Empty is null, not 0, so that the server reports a missing value. */
export function NumberField({ section, name, suffix, help }: NumberProps) {
  const { t } = useTranslation('settings')
  const note = useNote(section, name, (value) =>
    suffix === ' %' ? percent(Number(value) / 100) : `${value}${suffix ?? ''}`,
  )
  return (
    <NumberInput
      label={t(`fields.${name as 'keepMessagesDays'}`)}
      description={note ?? help}
      allowDecimal={false}
      w={{ base: '100%', sm: 320 }}
      maw="100%"
      {...section.form.number(name)}
      {...(suffix && { suffix })}
    />
  )
}

export function SwitchField({ section, name, help }: { section: Section; name: KeysOf<boolean>; help?: string }) {
  const { t } = useTranslation(['settings', 'common'])
  const note = useNote(section, name, (value) => t(value ? 'common:yes' : 'common:no'))
  return (
    <Switch
      label={t(`fields.${name as 'promiseUnlocks'}`)}
      description={note ?? help}
      disabled={!section.editable}
      {...section.form.box(name)}
    />
  )
}

type ChoiceProps<K extends KeysOf<string>> = {
  section: Section
  name: K
  choices: readonly { value: Settings[K] & string; label: string; description?: string }[]
}

export function ChoiceField<K extends KeysOf<string>>({ section, name, choices }: ChoiceProps<K>) {
  const { t } = useTranslation('settings')
  const labelOf = (value: unknown) => choices.find((choice) => choice.value === value)?.label ?? ''
  return (
    <Radio.Group
      label={t(`fields.${name as 'timeZone'}`)}
      description={useNote(section, name, labelOf)}
      {...section.form.choice(name)}
    >
      <Stack gap="xs" mt="xs">
        {choices.map((choice) => (
          <Radio key={choice.value} {...choice} disabled={!section.editable} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
