import { Button, Radio, Select, Stack, Text } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { IntakeChoices } from '#domain/admissions/intake-schemas.ts'
import { rupiah } from '#locales/format.ts'
import type { Checks } from '#web/api/use-checks.ts'
import classes from './form.module.css'
import { classOf, entryLevelOf, fitToOptions, type RegistrationForm } from './registration-form.ts'

type Props = {
  options: IntakeChoices
  form: RegistrationForm
  onChange: (form: RegistrationForm) => void
  checks: Pick<Checks, 'field' | 'errorOf' | 'errors'>
}

/** Asks for entry level and class if there are several, then for the study programmes in order of preference. */
export function ProgrammeChoices({ options, form, onChange, checks }: Props) {
  const { t } = useTranslation('registration')
  const change = (changes: Partial<RegistrationForm>) => onChange(fitToOptions({ ...form, ...changes }, options))
  const levels = options.entryLevels.filter(({ state }) => state === 'open')
  const level = entryLevelOf(options, form)
  const selectedClass = classOf(options, form)
  return (
    <Stack gap="lg">
      {levels.length > 1 && (
        <Radio.Group
          label={t('form.entryLevel')}
          value={form.entryLevelId ?? ''}
          onChange={(entryLevelId) => change({ entryLevelId })}
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
          onChange={(classProgrammeId) => change({ classProgrammeId })}
          {...checks.field('classProgrammeId')}
        >
          <Stack gap="xs" mt={4}>
            {level.classProgrammes.map((classProgramme) => (
              <Radio.Card
                key={classProgramme.id}
                value={classProgramme.id}
                className={classes.card}
                style={{ borderRadius: 12 }}
              >
                <span className={classes.radio}>
                  <Radio.Indicator mt={2} />
                  <span>
                    <strong>{classProgramme.name}</strong> ·{' '}
                    {classProgramme.fee === 0 ? t('form.free') : rupiah(classProgramme.fee)}
                    {classProgramme.description && (
                      <Text span inherit c="dimmed">
                        {` · ${classProgramme.description}`}
                      </Text>
                    )}
                  </span>
                </span>
              </Radio.Card>
            ))}
          </Stack>
        </Radio.Group>
      )}
      {selectedClass && (
        <Stack gap="md">
          {Array.from({ length: options.track.maxChoices }, (_, position) => (
            <Choice
              key={position}
              position={position}
              isOnly={options.track.maxChoices === 1}
              programmes={selectedClass.programmes}
              choices={form.choices}
              onChange={(choices) => change({ choices })}
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
  isOnly: boolean
  programmes: IntakeChoices['entryLevels'][number]['classProgrammes'][number]['programmes']
  choices: readonly string[]
  onChange: (choices: string[]) => void
} & ReturnType<Checks['field']>

function Choice({ position, isOnly, programmes, choices, onChange, ...fieldProps }: ChoiceProps) {
  const { t } = useTranslation(['registration', 'common'])
  const value = choices[position] || null
  const programme = programmes.find(({ id }) => id === value)
  const replace = (id: string | null) => {
    const next = Array.from({ length: Math.max(choices.length, position + 1) }, (_, index) => choices[index] ?? '')
    next[position] = id ?? ''
    onChange(next)
  }
  const moveUp = () => {
    const next = [...choices]
    next[position] = choices[position - 1] ?? ''
    next[position - 1] = value ?? ''
    onChange(next)
  }
  const faculties = [...new Set(programmes.map(({ facultyName }) => facultyName))].sort((a, b) => a.localeCompare(b))
  const label = isOnly
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
        {...fieldProps}
        {...(position > 0 && { required: false, withAsterisk: false })}
        searchable
        clearable={position > 0}
        clearSectionMode="clear"
        rightSectionWidth="2rem"
        clearButtonProps={{ 'aria-label': `${t('common:actions.remove')}: ${label}` }}
        nothingFoundMessage={t('common:nothingHere')}
        maxDropdownHeight={320}
        data={faculties.map((group) => ({
          group,
          items: programmes
            .filter(({ facultyName }) => facultyName === group)
            .sort((a, b) => a.name.localeCompare(b.name))
            .map(({ id, name, degreeLevel, placesLeft }) => ({
              value: id,
              label: `${name} (${degreeLevel})${placesLeft <= 0 ? ` · ${t('form.full')}` : ''}`,
              disabled: placesLeft <= 0 || choices.some((choice, index) => index !== position && choice === id),
            })),
        }))}
      />
      {programme && (
        <div className={classes.radio} style={{ justifyContent: 'space-between', alignItems: 'center' }}>
          <Text size="sm" c="dimmed">
            {[
              programme.accreditation &&
                t('form.accreditation', { value: t(`form.accreditations.${programme.accreditation}`) }),
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
