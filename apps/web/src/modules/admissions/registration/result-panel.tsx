import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { readIntake } from '#domain/admissions/endpoints.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { useEndpoint } from '#web/api/query.ts'
import { hasEnded } from '#web/modules/admissions/dashboard/next-step.ts'
import { useDue } from '#web/modules/admissions/use-due.ts'
import { useBranding } from '#web/shell/branding.ts'
import { Card } from '#web/ui/card.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { CopyNumber } from './copy-number.tsx'
import { LetterButton } from './letter-button.tsx'
import classes from './result-panel.module.css'
import { ShareResultButton } from './share-result-button.tsx'
import { StudentCardButton } from './student-card-button.tsx'
import { useResultSeen } from './use-result-seen.ts'

type Props = { registration: RegistrationDetail }

/** The result: waiting, accepted or not accepted; nothing before the fee is paid. */
export function ResultPanel({ registration }: Props) {
  const { result, status } = registration
  useResultSeen(registration)
  if (hasEnded(status)) return null
  if (result === 'accepted') return <Accepted registration={registration} />
  if (result === 'not_accepted') return <NotAccepted registration={registration} />
  return status === 'verified' || status === 'paid' ? <Waiting registration={registration} /> : null
}

function Waiting({ registration }: Props) {
  const { t } = useTranslation(['registration', 'admissions'])
  const due = useDue()
  const { resultsAt } = registration.window
  return (
    <Alert variant="light" color="blue" title={t('result.waitingTitle')}>
      {resultsAt && new Date(resultsAt) > new Date()
        ? t('result.waitingDue', { due: due(resultsAt) })
        : t('result.waiting')}
    </Alert>
  )
}

const colours = ['#009EF7', '#FFB547', '#4CCB86', '#FFFFFF', '#FF8A9C']

/** Positions are computed, not random, so that all screenshots are equal. */
const Confetti = () => (
  <svg className={classes.confetti} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
    {Array.from({ length: 46 }, (_, index) => {
      const x = (index * 37.7) % 100
      const y = (index * 61.3) % 100
      // Keep the middle free for the text.
      if (x > 18 && x < 82 && y > 12) return null
      return (
        <rect
          key={index}
          x={x}
          y={y}
          width={0.7}
          height={2.2}
          fill={colours[index % colours.length]}
          opacity={0.85}
          transform={`rotate(${(index * 47) % 180} ${x} ${y})`}
        />
      )
    })}
  </svg>
)

const Cap = () => (
  <svg width="72" height="72" viewBox="0 0 32 32" aria-hidden="true" className={classes.cap}>
    <path d="M16 6 3 12.500l13 6.500 10-5V21h2v-8.500L16 6Z" fill="#FFFFFF" />
    <path d="M8 17.200V22c0 1.800 3.500 4 8 4s8-2.200 8-4v-4.800l-8 4-8-4Z" fill="#009EF7" />
    <circle cx="27" cy="22.500" r="1.600" fill="#FFB547" />
  </svg>
)

/** An acceptance, designed for screenshots; shows the student number once it exists. */
function Accepted({ registration }: Props) {
  const { t } = useTranslation('registration')
  const due = useDue()
  const branding = useBranding()
  const { studentNumber, applicant, acceptedProgramme, wave, status, window } = registration
  const hail = t(studentNumber ? 'result.welcome' : 'result.congratulations', { name: applicant.name })
  const detail = `${registration.classProgramme.name} · ${wave.academicYear}`
  return (
    <section className={classes.accepted} aria-labelledby="result">
      <Confetti />
      <div className={classes.inside}>
        <Cap />
        <p className={classes.hail}>{hail}</p>
        <p className={classes.at}>{t(studentNumber ? 'result.programme' : 'result.accepted')}</p>
        <h2 id="result" className={classes.programme}>
          {acceptedProgramme?.name}
        </h2>
        <p className={classes.at}>{detail}</p>
        {studentNumber ? (
          <>
            <p className={classes.quiet}>{t('result.studentNumber')}</p>
            <p className={classes.number}>{studentNumber}</p>
            <p className={classes.quiet}>{t('result.keep')}</p>
          </>
        ) : (
          <p className={classes.quiet}>
            {status === 'decided' && window.confirmationDueAt
              ? t('result.confirmBefore', { due: due(window.confirmationDueAt) })
              : t('result.proud')}
          </p>
        )}
        <div className={classes.buttons}>
          {status === 'decided' && (
            <Button component={Link} to="/konfirmasi-kelulusan" size="lg">
              {t('act.confirmation')}
            </Button>
          )}
          <LetterButton registration={registration} size="lg" variant="white" />
          {studentNumber && <StudentCardButton registrationId={registration.id} />}
          {studentNumber && <CopyNumber value={studentNumber} />}
          <ShareResultButton
            facts={{
              university: branding.name || branding.shortName,
              hail,
              sentence: t(studentNumber ? 'result.programme' : 'result.accepted'),
              programme: acceptedProgramme?.name ?? '',
              detail,
              number: studentNumber ? { label: t('result.studentNumber'), value: studentNumber } : null,
            }}
          />
          <Button variant="white" color="dark" size="lg" onClick={() => globalThis.print()}>
            {t('result.print')}
          </Button>
        </div>
      </div>
    </section>
  )
}

function NotAccepted({ registration }: Props) {
  const { t } = useTranslation('registration')
  const { data, error, refetch } = useEndpoint(readIntake)
  const open = data?.data.some((wave) =>
    wave.tracks.some(
      ({ state, id }) => state === 'open' && !(wave.id === registration.wave.id && id === registration.track.id),
    ),
  )
  return (
    <Card>
      <Stack gap="md" maw={640}>
        <Title order={2}>{t('result.notTitle')}</Title>
        <Text>{t('result.not', { name: registration.applicant.name })}</Text>
        {registration.resultReason && (
          <div>
            <Text fw={600}>{t('result.notReason')}</Text>
            <Text>{registration.resultReason}</Text>
          </div>
        )}
        <div>
          <Text fw={600}>{t('result.nextTitle')}</Text>
          <Text>{t(open === false ? 'result.nextClosed' : 'result.nextOpen')}</Text>
          {!data && <Missing error={error} onRetry={refetch} />}
        </div>
        {open !== false && (
          <div>
            <Button component={Link} to="/pendaftaran/create">
              {t('result.nextAction')}
            </Button>
          </div>
        )}
      </Stack>
    </Card>
  )
}
