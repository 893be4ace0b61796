import { Anchor, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Conversation, readChatFacts } from '#domain/chat/endpoints.ts'
import { readLead } from '#domain/leads/endpoints.ts'
import { dateTime, longDate, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

const tones: Record<string, Tone> = { todo: 'attention', blocked: 'waiting', waiting: 'progress' }

/** Registrations of the person with the open steps, and the rule that blocks each. */
export function FactsCard({ conversation: { id, leadId } }: { conversation: Conversation }) {
  const { t } = useTranslation(['inbox', 'admissions', 'staff'])
  const { language } = useSurroundings()
  const { may } = useSession()
  const { data, error, refetch } = useEndpoint(readChatFacts, { params: { id } })
  return (
    <Card title={t('facts')}>
      {!data && <LoadingOrFailed error={error} onRetry={refetch} rows={3} />}
      {data?.data.registrations.length === 0 && <Text c="dimmed">{t('noFacts')}</Text>}
      <Stack>
        {data?.data.registrations.map((registration) => (
          <section key={registration.id} aria-label={registration.code}>
            <Anchor component={Link} to={`/pendaftaran/${registration.id}`} fw={600}>
              {registration.code}
            </Anchor>
            <Text size="sm">
              {[registration.programme, registration.wave, t(`staff:status.${registration.status as 'paid'}`)]
                .filter(Boolean)
                .join(' · ')}
            </Text>
            {registration.todo.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('noOpenSteps')}
              </Text>
            )}
            {registration.todo.map((item) => (
              <div key={item.key}>
                <StatusDot tone={tones[item.state] ?? 'waiting'} label={t(`admissions:todo.${item.key}`)} />
                <Text size="sm" c="dimmed" pl="md">
                  {[
                    item.blockedBy &&
                      t(`admissions:blocked.${item.blockedBy}` as never, {
                        ...item.params,
                        due: item.dueAt ? dateTime(item.dueAt, language) : '',
                        ...(typeof item.params.amount === 'number' && { amount: rupiah(item.params.amount) }),
                      }),
                    item.dueAt && longDate(item.dueAt, language),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </div>
            ))}
          </section>
        ))}
        {leadId && may(readLead.access) && (
          <Anchor component={Link} to={`/marketing/prospek/${leadId}`}>
            {t('openLead')}
          </Anchor>
        )}
      </Stack>
    </Card>
  )
}
