import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { IntakeTrack } from '#domain/admissions/intake-schemas.ts'
import { longDate, rupiah } from '#locales/format.ts'
import { useBranding } from '#web/shell/branding.ts'
import { useLanguage } from '#web/shell/language.ts'
import quiet from '#web/ui/text/quiet.module.css'
import classes from './open-waves.module.css'
import { useIntake } from './use-intake.ts'

/** Open waves with deadline and fee, beside the sign-in and sign-up forms. */
export default function OpenWaves() {
  const { t } = useTranslation('accounts')
  const language = useLanguage()
  const { registrationOpen } = useBranding()
  const { data, isPending, isLoadingError, refetch } = useIntake()

  if (isPending)
    return (
      <Stack gap="sm" maw={640} aria-busy="true">
        <Skeleton height={24} width="50%" />
        <Skeleton height={72} />
        <Skeleton height={72} />
      </Stack>
    )
  if (isLoadingError)
    return (
      <Text>
        {t('intake.failed')}{' '}
        <Anchor component="button" type="button" onClick={() => void refetch()}>
          {t('intake.again')}
        </Anchor>
      </Text>
    )

  /** While registration is closed, a track whose dates have begun is not open either. */
  const isShown = (state: IntakeTrack['state']) => state === 'upcoming' || (registrationOpen && state === 'open')
  const waves = data.data
    .map((wave) => ({ ...wave, tracks: wave.tracks.filter(({ state }) => isShown(state)) }))
    .filter((wave) => wave.tracks.length > 0)
  const fee = (track: IntakeTrack) => {
    if (track.freeOfFee || track.fee.maximum === 0) return t('intake.free')
    const amount = rupiah(track.fee.minimum)
    return track.fee.minimum === track.fee.maximum ? t('intake.fee', { amount }) : t('intake.feeFrom', { amount })
  }
  const dates = (track: IntakeTrack) => {
    const open = track.windows.filter((window) => window.state === track.state)
    const lastClosing = open
      .map((window) => window.closesAt)
      .sort()
      .at(-1)
    const firstOpening = open.map((window) => window.opensAt).sort()[0]
    if (track.state === 'upcoming')
      return firstOpening ? t('intake.opens', { date: longDate(firstOpening, language) }) : ''
    return lastClosing ? t('intake.until', { date: longDate(lastClosing, language) }) : ''
  }

  return (
    <section className={classes.waves} aria-label={t('intake.title')}>
      <Title order={2}>{t('intake.title')}</Title>
      {waves.length === 0 && <Text>{t('intake.none')}</Text>}
      {waves.map((wave) => (
        <div key={wave.id}>
          <Text component="h3" fw={600}>
            {wave.name} · {wave.academicYear}
          </Text>
          <ul className={classes.tracks}>
            {wave.tracks.map((track) => (
              <li key={track.id} className={classes.track}>
                <div className={classes.line}>
                  {track.state === 'open' ? (
                    <Anchor
                      component={Link}
                      to={`/multi-step-sign-up?wave=${wave.id}&track=${track.id}`}
                      className={classes.name}
                    >
                      {track.name}
                    </Anchor>
                  ) : (
                    <span className={classes.name}>{track.name}</span>
                  )}
                  <span>{dates(track)}</span>
                </div>
                <span className={quiet.text}>{fee(track)}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
