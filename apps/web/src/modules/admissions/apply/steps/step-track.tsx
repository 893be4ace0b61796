import { Radio, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { IntakeTrack, IntakeWave } from '#domain/admissions/intake-schemas.ts'
import { rupiah, weekdayDate } from '#locales/format.ts'
import type { Checks } from '#web/api/use-checks.ts'
import classes from '#web/modules/admissions/apply/form.module.css'
import { datesOf, placeOf, type RegistrationForm } from '#web/modules/admissions/apply/registration-form.ts'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = {
  waves: readonly IntakeWave[]
  form: RegistrationForm
  checks: Pick<Checks, 'field'>
  onChoose: (waveId: string, trackId: string) => void
}

/** Lists every wave and track with dates, cost and documents. */
export function StepTrack({ waves, form, checks, onChoose }: Props) {
  const { t } = useTranslation('registration')
  return (
    <Radio.Group
      value={placeOf(form) ?? ''}
      onChange={(place) => {
        const [waveId = '', trackId = ''] = place.split(' ')
        onChoose(waveId, trackId)
      }}
      aria-label={t('form.steps.track')}
      {...checks.field('trackId')}
    >
      <Stack gap="lg">
        {waves.map((wave) => (
          <section key={wave.id} aria-labelledby={`wave-${wave.id}`}>
            <Title order={2} size="h3" id={`wave-${wave.id}`} mb="sm">
              {t('form.wave', { name: wave.name, year: wave.academicYear })}
            </Title>
            <Stack gap="sm">
              {wave.tracks.map((track) => (
                <TrackCard
                  key={track.id}
                  wave={wave}
                  track={track}
                  checked={form.waveId === wave.id && form.trackId === track.id}
                />
              ))}
            </Stack>
          </section>
        ))}
      </Stack>
    </Radio.Group>
  )
}

const stateTone = { open: 'done', upcoming: 'waiting', closed: 'stopped' } as const

function TrackCard({ wave, track, checked }: { wave: IntakeWave; track: IntakeTrack; checked: boolean }) {
  const { t } = useTranslation('registration')
  const { language } = useSurroundings()
  const day = (iso: string | null) => (iso ? weekdayDate(iso, language) : '')
  const dates = datesOf(track)
  const open = track.state === 'open'
  const state = { open: 'form.openUntil', upcoming: 'form.opensOn', closed: 'form.closedSince' }[track.state]
  const fee =
    track.freeOfFee || track.fee.maximum === 0
      ? t('form.free')
      : track.fee.minimum === track.fee.maximum
        ? rupiah(track.fee.minimum)
        : t('form.feeFrom', { amount: rupiah(track.fee.minimum) })
  return (
    <div className={classes.card} data-checked={checked || undefined} data-closed={!open || undefined}>
      <Radio.Card
        value={`${wave.id} ${track.id}`}
        disabled={!open}
        aria-label={`${track.name}, ${wave.name}`}
        withBorder={false}
        className={classes.radio}
        bg="transparent"
      >
        <Radio.Indicator disabled={!open} mt={3} />
        <span>
          <span className={classes.title}>{track.name}</span>
          <br />
          <StatusDot
            tone={stateTone[track.state]}
            label={t(state, { date: day(track.state === 'upcoming' ? dates.opensAt : dates.closesAt) })}
          />
        </span>
      </Radio.Card>
      {track.description && <Text>{track.description}</Text>}
      <dl className={classes.facts}>
        <div>
          <dt>{t('form.fee')}</dt>
          <dd style={{ fontWeight: 600 }}>{fee}</dd>
        </div>
        <div>
          <dt>{t('form.tests')}</dt>
          <dd>
            {track.hasTest ? track.tests.map(({ name }) => name).join(', ') || t('form.tests') : t('form.noTest')}
          </dd>
        </div>
      </dl>
      <details className={classes.details}>
        <summary aria-label={`${t('form.details')}: ${track.name}`}>{t('form.details')}</summary>
        <Stack gap="sm">
          <ul className={classes.list}>
            <li>{t('form.choices', { count: track.maxChoices })}</li>
            {dates.paymentDueAt && <li>{t('form.payUntil', { date: day(dates.paymentDueAt) })}</li>}
            {dates.resultsAt && <li>{t('form.resultsOn', { date: day(dates.resultsAt) })}</li>}
            {dates.confirmationDueAt && <li>{t('form.confirmUntil', { date: day(dates.confirmationDueAt) })}</li>}
          </ul>
          <div>
            <Text fw={600}>{t('form.requirements')}</Text>
            {track.requirements.length === 0 ? (
              <Text>{t('form.noRequirements')}</Text>
            ) : (
              <ul className={classes.list}>
                {track.requirements.map((document) => (
                  <li key={document.id}>
                    {document.required ? document.name : t('form.optionalDocument', { name: document.name })}
                  </li>
                ))}
              </ul>
            )}
          </div>
        </Stack>
      </details>
    </div>
  )
}
