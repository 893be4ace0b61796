import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconTicket } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Dashboard, DashboardRegistration } from '#domain/admissions/schemas.ts'
import { pathToMissing } from '#domain/applicants/profile.ts'
import { weekdayDate } from '#locales/format.ts'
import { zoneName } from '#locales/zone-name.ts'
import { Stepper } from '#web/modules/admissions/apply/stepper.tsx'
import { CardButton } from '#web/modules/admissions/registration/card-button.tsx'
import { StatusWord } from '#web/modules/admissions/status-word.tsx'
import { Card } from '#web/ui/card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './applicant-dashboard.module.css'
import hero from './hero.module.css'
import { MessagesCard } from './messages-card.tsx'
import { byUrgency, hasEnded } from './next-step.ts'
import { NextStepHero } from './next-step-hero.tsx'
import { TodoList } from './todo-list.tsx'

type Props = { dashboard: Extract<Dashboard, { kind: 'applicant' }> }

/** Shows the most urgent registration in full and the others as links. */
export function ApplicantDashboard({ dashboard }: Props) {
  const { t } = useTranslation(['dashboard', 'registration'])
  const [first, ...others] = byUrgency(dashboard.registrations)
  const currentRegistration = first && !hasEnded(first.status) ? first : undefined
  const otherRegistrations = currentRegistration ? others : dashboard.registrations
  return (
    <div className={classes.page}>
      {currentRegistration ? <NextStepHero registration={currentRegistration} /> : <Beginning dashboard={dashboard} />}
      {currentRegistration && <Standing registration={currentRegistration} />}
      {otherRegistrations.length > 0 && (
        <Card title={t('other')}>
          <div className={classes.others}>
            {otherRegistrations.map((registration) => (
              <div key={registration.id} className={classes.row}>
                <div>
                  <Anchor component={Link} to={`/pendaftaran/${registration.id}`} fw={600}>
                    {registration.code}
                  </Anchor>
                  <Text size="sm" c="dimmed">
                    {registration.track} · {registration.wave}
                    {registration.programme && ` · ${registration.programme}`}
                  </Text>
                </div>
                <StatusWord registration={registration} />
              </div>
            ))}
          </div>
        </Card>
      )}
      <MessagesCard />
    </div>
  )
}

/** Before the first registration: asks for the profile, then for a registration. */
function Beginning({ dashboard }: Props) {
  const { t } = useTranslation('dashboard')
  const { hasProfile, missingProfileFields, hasStudyIntent, name } = dashboard
  const profileComplete = hasProfile && missingProfileFields.length === 0
  return (
    <section className={hero.hero} data-tone="attention">
      <p className={hero.about}>{t('hello', { name })}</p>
      <h1 className={hero.sentence}>{t(profileComplete ? 'startTitle' : 'profileTitle')}.</h1>
      <p className={hero.then}>
        {t(profileComplete ? 'startText' : 'profileText')}
        {hasProfile && !profileComplete && ` ${t('missing', { count: missingProfileFields.length })}`}
        {profileComplete && hasStudyIntent && ` ${t('startPicked')}`}
      </p>
      <Group className={hero.action}>
        {!profileComplete && (
          <Button
            component={Link}
            to={hasProfile ? pathToMissing(missingProfileFields) : '/account/settings'}
            size="lg"
          >
            {t('profile')}
          </Button>
        )}
        {hasProfile && (
          <Button component={Link} to="/pendaftaran/create" size="lg" variant={profileComplete ? 'filled' : 'default'}>
            {t(profileComplete ? 'start' : 'startAlready')}
          </Button>
        )}
      </Group>
    </section>
  )
}

function Standing({ registration }: { registration: DashboardRegistration }) {
  const { t } = useTranslation(['registration', 'dashboard'])
  const { language } = useSurroundings()
  const { nextStep } = registration
  // After the result, the test no longer matters.
  const seat = registration.result === 'waiting' ? registration.seat : null
  return (
    <>
      <Card title={t('whereIStand')} actions={<StatusWord registration={registration} />}>
        <Stepper stages={registration.stages} />
      </Card>
      {registration.result !== 'not_accepted' && (
        <TodoList
          items={registration.todo}
          registrationId={registration.id}
          {...(registration.status !== 'enrolled' && nextStep?.state === 'todo' && { heroKey: nextStep.key })}
        />
      )}
      {(seat || registration.cardReady) && (
        <Card title={seat ? t('dashboard:seat') : undefined}>
          <Group justify="space-between">
            {seat && (
              <Group gap="sm" wrap="nowrap" align="flex-start">
                <IconTicket size={24} aria-hidden="true" />
                <Stack gap={0}>
                  <Text fw={600}>
                    {t('dashboard:seatAt', {
                      date: weekdayDate(seat.date, language),
                      from: seat.startTime.slice(0, 5).replace(':', '.'),
                      to: seat.endTime.slice(0, 5).replace(':', '.'),
                      zone: zoneName(),
                    })}
                  </Text>
                  <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {seat.name} · {seat.location}
                  </Text>
                </Stack>
              </Group>
            )}
            {registration.cardReady && <CardButton registration={registration} />}
          </Group>
        </Card>
      )}
    </>
  )
}
