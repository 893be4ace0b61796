import { Alert, Anchor, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { readOpenEvent } from '#domain/events/public-endpoints.ts'
import { longDate } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { rememberArrival } from '#web/modules/accounts/arrival.ts'
import { keptReferral } from '#web/modules/accounts/referral.ts'
import { ShareButton } from '#web/modules/affiliates/share-button.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { RegisterForm } from './register-form.tsx'
import { sessionText } from './session-text.ts'

/** Public page of an event, with registration without an account. */
export default function OpenEventPage() {
  const { slug = '' } = useParams()
  const { search } = useLocation()
  const { t } = useTranslation('events')
  const { language } = useSurroundings()
  const navigate = useNavigate()
  useState(() => rememberArrival(search))
  const [isSentAgain, setSentAgain] = useState(false)
  const { data, error, refetch } = useEndpoint(readOpenEvent, { params: { slug } })
  const event = data?.data
  usePageTitle(event?.name[language])
  if (!event) return <LoadingRecord error={error} onRetry={refetch} rows={6} />
  const { name, description, kind, school, place, state, sessions, registrationOpens } = event
  return (
    <Stack maw={640} mx="auto">
      <Card>
        <Stack>
          <div>
            <Title order={1}>{name[language]}</Title>
            <Text c="dimmed">
              {[t(`kind.${kind}`), school && t('public.forSchool', { school })].filter(Boolean).join(' · ')}
            </Text>
          </div>
          {description[language] && <Text style={{ whiteSpace: 'pre-line' }}>{description[language]}</Text>}
          <Facts
            facts={[
              [
                t('public.when'),
                <Stack key="when" gap={4}>
                  {sessions.map((session) => (
                    <Text key={session.id}>
                      {sessionText(session, language)} ·{' '}
                      {session.seatsLeft > 0 ? t('public.seats', { count: session.seatsLeft }) : t('public.full')}
                    </Text>
                  ))}
                </Stack>,
              ],
              [t('public.where'), place ?? t('public.online')],
            ]}
          />
          <ShareButton
            link={location.origin + location.pathname}
            title={name[language]}
            label={t('public.share')}
            copied={t('public.shared')}
          />
        </Stack>
      </Card>
      <Card title={t('public.register')}>
        {isSentAgain ? (
          <Alert color="blue" variant="light" role="status" title={t('public.sentAgain')}>
            {t('public.sentAgainText')}
          </Alert>
        ) : state === 'open' ? (
          <RegisterForm
            event={event}
            referral={new URLSearchParams(search).get('ref') ?? keptReferral() ?? null}
            onRegistered={(code) => navigate(`/tiket/${code}`)}
            onSentAgain={() => setSentAgain(true)}
          />
        ) : (
          <Text role="status">{t(`registrationState.${state}`, { date: longDate(registrationOpens, language) })}</Text>
        )}
      </Card>
      <Anchor component={Link} to="/acara">
        {t('public.all')}
      </Anchor>
    </Stack>
  )
}
