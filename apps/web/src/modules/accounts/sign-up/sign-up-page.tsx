import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { rememberArrival } from '#web/modules/accounts/arrival.ts'
import { GoogleButton } from '#web/modules/accounts/google-button.tsx'
import { prospectusPath } from '#web/modules/accounts/prospectus-path.ts'
import { useAuthOptions } from '#web/modules/accounts/use-auth-options.ts'
import { ClosedNotice } from '#web/modules/opening/closed-notice.tsx'
import { AuthAside } from '#web/shell/auth-aside.tsx'
import { useBranding } from '#web/shell/branding.ts'
import { useLanguage } from '#web/shell/language.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { keepStudyChoice } from './keep-study-choice.ts'
import { keptLead } from './lead-token.ts'
import { SignUpForm } from './sign-up-form.tsx'

const OpenWaves = lazyPart(() => import('./open-waves.tsx'))
const LeadArrival = lazyPart(() => import('./lead-arrival.tsx'))

export default function SignUpPage() {
  const { t } = useTranslation('accounts')
  const { search } = useLocation()
  const { data: options } = useAuthOptions()
  const language = useLanguage()
  const { registrationOpen } = useBranding()
  useState(() => rememberArrival(search))
  const [lead] = useState(() => new URLSearchParams(search).get('lead') ?? keptLead())
  const [fills, setFills] = useState(0)

  return (
    <>
      <Stack gap="lg">
        <div>
          <Title order={1}>{t('signUp.title')}</Title>
          <Text c="dimmed" mt={4}>
            {t('signUp.lead')}
          </Text>
        </div>
        {registrationOpen ? (
          <>
            {/* The session redirects to the confirmation of the address; meanwhile the study choice is stored. */}
            {lead && (
              <Suspense>
                <LeadArrival token={lead} onFilled={() => setFills(fills + 1)} />
              </Suspense>
            )}
            <SignUpForm key={fills} submitLabel={t('signUp.submit')} onSignedUp={() => void keepStudyChoice()} />
            {options?.data.google && <GoogleButton label={t('signIn.google')} divided />}
            <Text>
              {t('signUp.haveAccount')}{' '}
              <Anchor component={Link} to="/sign-in">
                {t('signUp.signIn')}
              </Anchor>
            </Text>
            <Anchor href={prospectusPath(language)}>{t('signIn.prospectus')}</Anchor>
            <Anchor component={Link} to="/multi-step-sign-up">
              {t('signUp.stepByStep')}
            </Anchor>
          </>
        ) : (
          <ClosedNotice signIn />
        )}
      </Stack>
      <AuthAside>
        <Suspense fallback={<Skeleton height={72} maw={640} />}>
          <OpenWaves />
        </Suspense>
      </AuthAside>
    </>
  )
}
