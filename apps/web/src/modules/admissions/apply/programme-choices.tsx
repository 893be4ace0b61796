import { Button, Radio, Select, Stack, Text } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { IntakeChoices } from '#domain/admissions/intake-schemas.ts'
import { rupiah } from '#locales/format.ts'
import type { Checks } from '#web/api/use-checks.ts'
import classes from './form.module.css'
import { classOf, entryLevelOf, fitted, type RegistrationForm } from './registration-form.ts'

type Props = {
  options: IntakeChoices
  form: RegistrationForm
  onChange: (form: RegistrationForm) => void
  checks: Checks
}

/** Entry level and class where there is a choice, then the study programmes in order of preference. */
export function ProgrammeChoices({ options, form, onChange, checks }: Props) {
  const { t } = useTranslation('registration')
  const set = (changes: Partial<RegistrationForm>) => onChange(fitted({ ...form, ...changes }, options))
  const levels = options.entryLevels.filter(({ state }) => state === 'open')
  const level = entryLevelOf(options, form)
  const chosen = classOf(options, form)
  return (
    <Stack gap="lg">
      {levels.length > 1 && (
        <Radio.Group
          label={t('form.entryLevel')}
          value={form.entryLevelId ?? ''}
          onChange={(entryLevelId) => set({ entryLevelId })}
          {...checks.field('entryLevelId')}
        >
          <Stack gap={0} mt={4}>
            {levels.map(({ id, name }) => (
              <Radio key={id} value={id} label={name} styles={{ body: { minHeight: 44, alignItems: 'center' } }} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {level && level.classProgrammes.length > 1 && (
        <Radio.Group
          label={t('form.classProgramme')}
          value={form.classProgrammeId ?? ''}
          onChange={(classProgrammeId) => set({ classProgrammeId })}
          {...checks.field('classProgrammeId')}
        >
          <Stack gap="xs" mt={4}>
            {level.classProgrammes.map((one) => (
              <Radio.Card key={one.id} value={one.id} className={classes.card} style={{ borderRadius: 12 }}>
                <span className={classes.radio}>
                  <Radio.Indicator mt={2} />
                  <span>
                    <strong>{one.name}</strong> · {one.fee === 0 ? t('form.free') : rupiah(one.fee)}
                    {one.description && <span className={classes.quiet}> · {one.description}</span>}
                  </span>
                </span>
              </Radio.Card>
            ))}
          </Stack>
        </Radio.Group>
      )}
      {chosen && (
        <Stack gap="md">
          {Array.from({ length: options.track.maxChoices }, (_, position) => (
            <Choice
              key={position}
              position={position}
              only={options.track.maxChoices === 1}
              offered={chosen.programmes}
              choices={form.choices}
              onChange={(choices) => set({ choices })}
              {...checks.field(`choices.${position}`)}
              {...(position === 0 && { error: checks.errorOf('choices.0') ?? checks.errors.choices })}
            />
          ))}
        </Stack>
      )}
    </Stack>
  )
}

type ChoiceProps = {
  position: number
  only: boolean
  offered: IntakeChoices['entryLevels'][number]['classProgrammes'][number]['programmes']
  choices: readonly string[]
  onChange: (choices: string[]) => void
} & ReturnType<Checks['field']>

function Choice({ position, only, offered, choices, onChange, ...checked }: ChoiceProps) {
  const { t } = useTranslation(['registration', 'common'])
  const value = choices[position] || null
  const programme = offered.find(({ id }) => id === value)
  const replace = (id: string | null) => {
    const next = Array.from({ length: Math.max(choices.length, position + 1) }, (_, at) => choices[at] ?? '')
    next[position] = id ?? ''
    onChange(next)
  }
  const moveUp = () => {
    const next = [...choices]
    next[position] = choices[position - 1] ?? ''
    next[position - 1] = value ?? ''
    onChange(next)
  }
  const faculties = [...new Set(offered.map(({ facultyName }) => facultyName))].sort((a, b) => a.localeCompare(b))
  const label = only
    ? t('form.steps.programme')
    : position === 0
      ? t('form.firstChoice')
      : t('form.choice', { position: position + 1 })
  return (
    <div>
      <Select
        label={position === 0 ? label : `${label} (${t('common:optional')})`}
        placeholder={position === 0 ? t('form.pick') : t('form.noChoice')}
        value={value}
        onChange={replace}
        {...checked}
        searchable
        clearable={position > 0}
        clearButtonProps={{ 'aria-label': `${t('common:actions.remove')}: ${label}` }}
        nothingFoundMessage={t('common:nothingHere')}
        maxDropdownHeight={320}
        data={faculties.map((group) => ({
          group,
          items: offered
            .filter(({ facultyName }) => facultyName === group)
            .sort((a, b) => a.name.localeCompare(b.name))
            .map(({ id, name, degreeLevel, placesLeft }) => ({
              value: id,
              label: `${name} (${degreeLevel})${placesLeft <= 0 ? ` · ${t('form.full')}` : ''}`,
              disabled: placesLeft <= 0 || choices.some((other, at) => at !== position && other === id),
            })),
        }))}
      />
      {programme && (
        <div className={classes.radio} style={{ justifyContent: 'space-between', alignItems: 'center' }}>
          <Text size="sm" className={classes.quiet}>
            {[
              programme.accreditation &&
                t('form.accreditation', { value: t(`form.accreditations.${programme.accreditation}` as never) }),
              t('form.places', { count: programme.placesLeft }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
          {position > 0 && (
            <Button
              variant="subtle"
              size="compact-sm"
              mih={44}
              leftSection={<IconArrowUp size={16} aria-hidden="true" />}
              onClick={moveUp}
              aria-label={t('form.moveUp', { name: programme.name })}
              style={{ flex: 'none' }}
            >
              {t('form.up')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
