import { Anchor, Button, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { getAccount, getStudyIntent, type StudyIntent } from '#domain/accounts/endpoints.ts'
import { getProfile } from '#domain/applicants/endpoints.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { call } from '#web/api/client.ts'
import { rememberArrival } from '#web/modules/accounts/arrival.ts'
import { ClosedNotice } from '#web/modules/opening/closed-notice.tsx'
import { useBranding } from '#web/shell/branding.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useDoubleTapGuard } from '#web/ui/form/double-tap.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import classes from './wizard.module.css'
import { IdentityStep } from './wizard-identity.tsx'
import { StudyStep } from './wizard-study.tsx'

const steps = ['account', 'identity', 'study', 'done'] as const
type Step = (typeof steps)[number]

/** Sign-up in steps: account, identity, study choice, done. Existing data decides the current step. */
export default function MultiStepSignUpPage() {
  const { search } = useLocation()
  const { signedIn, user } = useSession()
  useState(() => rememberArrival(search))
  const navigate = useNavigate()
  const isStaff = signedIn && user?.role.name !== applicantRole
  useEffect(() => {
    if (isStaff) navigate('/dashboard', { replace: true })
  }, [isStaff, navigate])
  if (isStaff) return null
  return signedIn && user ? <Later key={user.id} /> : <FirstStep />
}

function Frame({ step, children }: { step: Step; children: React.ReactNode }) {
  const { t } = useTranslation('accounts')
  const { user, signOut } = useSession()
  const heading = useRef<HTMLHeadingElement>(null)
  const tapGuard = useDoubleTapGuard(step)
  const isFirstRender = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the top of each new step
  useEffect(() => {
    if (!isFirstRender.current) {
      window.scrollTo({ top: 0 })
      heading.current?.focus({ preventScroll: true })
    }
    isFirstRender.current = false
  }, [step])
  const stepIndex = steps.indexOf(step)
  return (
    <Stack gap="lg">
      <div>
        <Text size="sm" c="dimmed">
          {t('wizard.stepOf', { step: stepIndex + navigationConstants.stepperStartIndex, steps: steps.length })}
        </Text>
        <ol className={classes.steps} aria-hidden="true">
          {steps.map((stepName, index) => (
            <li
              key={stepName}
              data-state={index < stepIndex || step === 'done' ? 'done' : index === stepIndex ? 'now' : 'later'}
            >
              {t(`wizard.${stepName}`)}
            </li>
          ))}
        </ol>
        <Title order={1} ref={heading} tabIndex={-1} className={classes.heading}>
          {step === 'done' ? t('wizard.doneTitle') : t(`wizard.${step}`)}
        </Title>
      </div>
      <div style={tapGuard}>{children}</div>
      {user && step !== 'done' && (
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {t('wizard.signedInAs', { email: user.email })} · {t('wizard.saved')}
          </Text>
          <Anchor component="button" type="button" size="sm" onClick={() => void signOut()}>
            {t('wizard.notYou')}
          </Anchor>
        </Group>
      )}
    </Stack>
  )
}

function FirstStep() {
  const { t } = useTranslation('accounts')
  const { registrationOpen } = useBranding()
  if (!registrationOpen)
    return (
      <Frame step="account">
        <ClosedNotice signIn />
      </Frame>
    )
  return (
    <Frame step="account">
      <SignUpForm submitLabel={t('wizard.next')} />
      <Text>
        {t('signUp.haveAccount')}{' '}
        <Anchor component={Link} to="/sign-in?next=%2Fdashboard">
          {t('signUp.signIn')}
        </Anchor>
      </Text>
    </Frame>
  )
}

function Later() {
  const { t } = useTranslation('accounts')
  const { user, refresh } = useSession()
  const queries = useQueryClient()
  const progressKey = ['sign-up-progress']
  const { data, error, refetch } = useQuery({
    queryKey: progressKey,
    queryFn: async ({ signal }) => {
      const [profile, intent, account] = await Promise.all([
        call(getProfile, {}, { signal }),
        call(getStudyIntent, {}, { signal }),
        call(getAccount, {}, { signal }),
      ])
      return { hasProfile: profile.data !== null, intent: intent.data, phone: account.data.phone }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const updateProgress = (change: Partial<NonNullable<typeof data>>) =>
    queries.setQueryData(progressKey, (previous: typeof data) => previous && { ...previous, ...change })

  if (!user) return null
  if (error && !data)
    return (
      <Stack>
        <Failure>{error.message}</Failure>
        <Button onClick={() => void refetch()}>{t('intake.again')}</Button>
      </Stack>
    )
  if (!data)
    return (
      <Stack align="center" py="xl" role="status">
        <Loader />
      </Stack>
    )
  const step: Step = !data.hasProfile ? 'identity' : data.intent === null ? 'study' : 'done'
  return (
    <Frame step={step}>
      {step === 'identity' && (
        <IdentityStep
          accountId={user.id}
          name={user.name}
          email={user.email}
          phone={data.phone}
          onSaved={async () => {
            updateProgress({ hasProfile: true })
            await refresh().catch(() => {})
          }}
        />
      )}
      {step === 'study' && <StudyStep intent={data.intent} onSaved={(intent) => updateProgress({ intent })} />}
      {step === 'done' && <Done intent={data.intent} />}
    </Frame>
  )
}

function Done({ intent }: { intent: StudyIntent | null }) {
  const { t } = useTranslation('accounts')
  const { user } = useSession()
  const verified = Boolean(user?.email_verified_at)
  return (
    <Stack gap="md">
      <Text style={{ overflowWrap: 'anywhere' }}>
        {verified ? t('wizard.doneVerified') : t('wizard.doneVerify', { email: user?.email })}
      </Text>
      {intent?.trackId && <Text c="dimmed">{t('wizard.doneStudy')}</Text>}
      {verified ? (
        <>
          <Button component={Link} to="/pendaftaran/create">
            {t('wizard.goRegister')}
          </Button>
          <Button component={Link} to="/dashboard" variant="default">
            {t('wizard.goDashboard')}
          </Button>
        </>
      ) : (
        <Button component={Link} to="/verify-email">
          {t('wizard.goVerify')}
        </Button>
      )}
    </Stack>
  )
}
