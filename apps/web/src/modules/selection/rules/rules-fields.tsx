import { Button, Checkbox, Fieldset, Group, NumberInput, Radio, Select, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ChosenRules, type Criteria, selectionMethods, tieRules } from '#domain/selection/rules.ts'
import type { Checks } from '#web/api/use-checks.ts'
import { OptionTitle, RowChoice } from '#web/list/bar/row-choice.tsx'
import classes from '#web/modules/selection/selection.module.css'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { type Defaults, withProgramme, withTest, withTies, withTrack } from './rules-state.ts'

type Props = {
  rules: ChosenRules
  onChange: (rules: ChosenRules) => void
  defaults: Defaults
  form: Pick<Checks, 'field'>
}

/** How places are given, which tracks take part, and each track's criteria. */
export function RulesFields({ rules, onChange, defaults, form }: Props) {
  const { t } = useTranslation('selection')
  const ties = tieRules.map((value) => ({ value, label: t(`form.tie.${value}`) }))
  if (defaults.tracks.length === 0) return <Text c="dimmed">{t('form.noTracks')}</Text>
  return (
    <>
      <Radio.Group
        label={t('form.method')}
        value={rules.method}
        onChange={(method) => onChange({ ...rules, method: method as ChosenRules['method'] })}
      >
        <Stack gap="xs" mt="xs">
          {selectionMethods.map((method) => (
            <Radio key={method} value={method} label={t(`form.methods.${method}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Title order={2} size="h3">
        {t('form.tracks')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('form.passMarkHelp')}
      </Text>
      {defaults.tracks.map((track) => {
        const { trackId, name, verified } = track
        const own = rules.tracks.find((one) => one.trackId === trackId)
        return (
          <Fieldset key={trackId} legend={name}>
            <Stack>
              <Checkbox
                label={t('form.takesPart')}
                description={t('form.verified', { count: verified })}
                checked={own !== undefined}
                onChange={(event) => onChange(withTrack(rules, track, event.currentTarget.checked))}
              />
              {own && (
                <>
                  <Select
                    label={t('form.ties')}
                    data={ties}
                    value={own.ties}
                    allowDeselect={false}
                    maw={480}
                    onChange={(value) => onChange(withTies(rules, trackId, value as typeof own.ties))}
                  />
                  <CriteriaOfTrack {...{ rules, onChange, track }} />
                </>
              )}
            </Stack>
          </Fieldset>
        )
      })}
      <Text size="sm" c="red.9" data-field="criteria" role="alert">
        {form.field('rules.criteria').error}
      </Text>
      <Select
        label={t('form.pooledTies')}
        data={ties}
        value={rules.ties}
        allowDeselect={false}
        maw={480}
        onChange={(value) => onChange({ ...rules, ties: value as ChosenRules['ties'] })}
      />
      <NumberInput
        label={t('form.reserve')}
        description={t('form.reserveHelp')}
        allowDecimal={false}
        min={0}
        max={500}
        maw={480}
        value={rules.reservePercent}
        {...form.field('rules.reservePercent')}
        onChange={(value) => onChange({ ...rules, reservePercent: Number(value) })}
      />
    </>
  )
}

type TrackProps = Pick<Props, 'rules' | 'onChange'> & { track: Defaults['tracks'][number] }

function CriteriaOfTrack({ rules, onChange, track }: TrackProps) {
  const { t } = useTranslation('selection')
  const { trackId } = track
  const all = rules.criteria.filter((one) => one.trackId === trackId)
  return (
    <>
      {all.map((criteria) => (
        <div key={criteria.programmeId}>
          {criteria.programmeId && (
            <Group justify="space-between">
              <Text fw={500}>
                <OptionTitle to="prodi" id={criteria.programmeId} />
              </Text>
              <Button
                size="compact-sm"
                variant="subtle"
                color="red.9"
                onClick={() => onChange(withProgramme(rules, trackId, criteria.programmeId!, false))}
              >
                {t('form.remove')}
              </Button>
            </Group>
          )}
          <CriteriaTable {...{ rules, onChange, track, criteria }} />
        </div>
      ))}
      {track.tests.length > 0 && (
        <RowChoice
          to="prodi"
          label={t('form.addProgramme')}
          value={null}
          onChange={(programmeId) => programmeId && onChange(withProgramme(rules, trackId, programmeId, true))}
        />
      )}
    </>
  )
}

function CriteriaTable({ rules, onChange, track, criteria }: TrackProps & { criteria: Criteria }) {
  const { t } = useTranslation('selection')
  if (criteria.tests.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('form.noTests')}
      </Text>
    )
  return (
    <ScrollBox className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('form.test')}</th>
            <th scope="col">{t('form.weight')}</th>
            <th scope="col">{t('form.passMark')}</th>
          </tr>
        </thead>
        <tbody>
          {criteria.tests.map(({ testId, weight, passMark }) => {
            const test = track.tests.find((one) => one.testId === testId)?.name ?? '…'
            return (
              <tr key={testId}>
                <th scope="row">{test}</th>
                <td>
                  <NumberInput
                    className={classes.input}
                    aria-label={t('form.weightOf', { test })}
                    min={0}
                    max={100}
                    decimalScale={2}
                    value={weight}
                    onChange={(value) => onChange(withTest(rules, criteria, testId, { weight: Number(value) }))}
                  />
                </td>
                <td>
                  <NumberInput
                    className={classes.input}
                    aria-label={t('form.passMarkOf', { test })}
                    min={0}
                    max={10_000}
                    decimalScale={2}
                    value={passMark ?? ''}
                    onChange={(value) =>
                      onChange(withTest(rules, criteria, testId, { passMark: value === '' ? null : Number(value) }))
                    }
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </ScrollBox>
  )
}
