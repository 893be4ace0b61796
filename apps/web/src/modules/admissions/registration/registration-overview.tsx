import { Alert, Button, Group } from '@mantine/core'
import { type ReactNode, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { editPath } from '#web/modules/admissions/apply/edit-paths.ts'
import { Stepper } from '#web/modules/admissions/apply/stepper.tsx'
import { firstStepOf, hasEnded } from '#web/modules/admissions/dashboard/next-step.ts'
import { NextStepHero } from '#web/modules/admissions/dashboard/next-step-hero.tsx'
import { TodoList } from '#web/modules/admissions/dashboard/todo-list.tsx'
import { useDue } from '#web/modules/admissions/use-due.ts'
import { Card } from '#web/ui/card.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { CardButton } from './card-button.tsx'
import classes from './registration-overview.module.css'
import { ResultPanel } from './result-panel.tsx'
import { Timeline } from './timeline.tsx'
import { WithdrawButton } from './withdraw-button.tsx'

type Props = { registration: RegistrationDetail }

type Parts = { test: ReactNode; letters: ReactNode; calendar: ReactNode }

export function RegistrationOverview({ registration, test, letters, calendar }: Props & Parts) {
  const { t } = useTranslation(['registration', 'testing'])
  const { id, status, result, track } = registration
  const next = firstStepOf(registration.todo)
  const isOver = hasEnded(status)
  const hasResult = result !== 'waiting' && !isOver
  // The result panel has its own sentence and button, and a student has no next step. Only a confirmed applicant also
  // needs the hero.
  const showsHero = !hasResult || status === 'confirmed'
  const { hash, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link scrolls again when the address already has its hash
  useEffect(() => {
    if (hash !== '#test') return
    // Wait until the frame has scrolled the new page to its top.
    const timer = setTimeout(() => document.getElementById('test')?.scrollIntoView(), 150)
    return () => clearTimeout(timer)
  }, [hash, key])
  const withdraw = registration.actions.find(({ action }) => action === 'withdraw')
  return (
    <>
      {isOver && <Ended registration={registration} />}
      {hasResult && <ResultPanel registration={registration} />}
      {!isOver && showsHero && (
        <NextStepHero onRegistrationPage registration={{ ...registration, track: track.name, nextStep: next }} />
      )}
      {!hasResult && next?.key !== 'result' && <ResultPanel registration={registration} />}
      <Card title={t('whereIStand')}>
        <Stepper stages={registration.stages} />
      </Card>
      {!isOver && result !== 'not_accepted' && (
        <TodoList
          items={registration.todo}
          registrationId={id}
          {...(showsHero && next?.state === 'todo' && { heroKey: next.key })}
        />
      )}
      {track.hasTest && status !== 'draft' && !hasResult && !isOver && (
        <div id="test">
          <Card title={t('testing:title')}>{test}</Card>
        </div>
      )}
      {status !== 'draft' && !isOver && <Suspense fallback={null}>{letters}</Suspense>}
      <Facts registration={registration} />
      <Timeline registrationId={id} />
      <Group className="no-print">
        {status === 'draft' && (
          <Button component={Link} to={editPath(registration, 'program')} variant="default">
            {t('detail.editProgramme')}
          </Button>
        )}
        {!isOver && (
          <Button component={Link} to={editPath(registration, 'file')} variant="default">
            {t('detail.editFiles')}
          </Button>
        )}
        <CardButton registration={registration} />
        {!isOver && result !== 'not_accepted' && calendar}
        {withdraw?.allowed && <WithdrawButton registration={registration} />}
      </Group>
    </>
  )
}

function Ended({ registration }: Props) {
  const { t } = useTranslation('registration')
  const due = useDue()
  const { status, result, acceptedProgramme, closedAt, closedReason } = registration
  const lostOffer = result === 'accepted' && (status === 'withdrawn' || status === 'expired') ? acceptedProgramme : null
  return (
    <Alert color="gray" variant="light" title={t(`next.${status}`)}>
      <p style={{ margin: 0 }}>
        {lostOffer
          ? t(`detail.offerEnded.${status as 'expired'}`, { date: due(closedAt), programme: lostOffer.name })
          : t(`detail.ended.${status as 'withdrawn'}`, { date: due(closedAt) })}
      </p>
      {closedReason && <p style={{ margin: '4px 0 0' }}>{t('detail.reason', { reason: closedReason })}</p>}
      <Button component={Link} to="/pendaftaran/create" mt="md">
        {t('detail.again')}
      </Button>
    </Alert>
  )
}

function Facts({ registration }: Props) {
  const { t } = useTranslation('registration')
  const { choices, entryLevel, classProgramme, donationAmount, track, submittedAt } = registration
  return (
    <Card title={t('detail.tabs.program')}>
      <dl className={classes.facts}>
        <dt>{t('detail.choices')}</dt>
        <dd>
          {choices.length === 0 ? (
            t('list.noProgramme')
          ) : (
            <ol className={classes.choices}>
              {choices.map((choice) => (
                <li key={choice.id}>{choice.name}</li>
              ))}
            </ol>
          )}
        </dd>
        <dt>{t('form.entryLevel')}</dt>
        <dd>{entryLevel.name}</dd>
        <dt>{t('detail.class')}</dt>
        <dd>{classProgramme.name}</dd>
        {track.asksDonation && (
          <>
            <dt>{t('detail.donation')}</dt>
            <dd>{donationAmount ? <Money amount={donationAmount} /> : t('detail.noDonation')}</dd>
          </>
        )}
        {submittedAt && (
          <>
            <dt>{t('detail.submittedAt')}</dt>
            <dd>
              <DateText value={submittedAt} as="weekdaytime" />
            </dd>
          </>
        )}
      </dl>
    </Card>
  )
}
