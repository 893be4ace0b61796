import { Anchor, Button, Stack, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatPhone } from '#domain/accounts/phone.ts'
import type { TodoState } from '#domain/admissions/todo.ts'
import { type Conversation, readChatFacts } from '#domain/chat/endpoints.ts'
import type { Answer } from '#domain/endpoint.ts'
import { rupiah, timeOfDay, weekdayDate } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { LoadingOrFailed, Missing } from '#web/ui/states/missing.tsx'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './inbox.module.css'

type Registration = Answer<typeof readChatFacts>['data']['registrations'][number]
type Step = Registration['todo'][number]

const tones: Record<TodoState, Tone> = { done: 'done', todo: 'attention', blocked: 'waiting', waiting: 'progress' }

type Props = { conversation: Conversation; isShown: boolean; onBack: () => void }

/**
 * Shows up to five of the applicant's registrations with their open steps, the phone number, and links to the account
 * and lead.
 */
export function FactsPanel({ conversation, isShown, onBack }: Props) {
  const { t } = useTranslation('inbox')
  const { may } = useSession()
  const { id, accountId, leadId, phone } = conversation
  const { data, error, refetch } = useEndpoint(readChatFacts, { params: { id } })
  return (
    <aside className={classes.facts} aria-label={t('facts')} data-shown={isShown || undefined}>
      <Button
        className={classes.factsBack}
        variant="subtle"
        leftSection={<IconArrowLeft size={18} aria-hidden />}
        onClick={onBack}
      >
        {t('toConversation')}
      </Button>
      <Title order={2} size="h3">
        {t('facts')}
      </Title>
      {!data ? (
        <LoadingOrFailed error={error} onRetry={refetch} rows={4} />
      ) : (
        <Stack gap="md" mt="sm">
          <Missing error={error} onRetry={refetch} />
          {data.data.registrations.length === 0 && <Text c="dimmed">{t('noFacts')}</Text>}
          {data.data.registrations.map((registration) => (
            <RegistrationFacts key={registration.id} registration={registration} />
          ))}
          {phone && <Text size="sm">{formatPhone(phone)}</Text>}
          {accountId && may('settings-accounts-view') && (
            <Anchor component={Link} to={`/settings/accounts/${accountId}`} size="sm">
              {t('openAccount')}
            </Anchor>
          )}
          {leadId && may('marketing-prospek-view') && (
            <Anchor component={Link} to={`/marketing/prospek/${leadId}`} size="sm">
              {t('openLead')}
            </Anchor>
          )}
        </Stack>
      )}
    </aside>
  )
}

function RegistrationFacts({
  registration: { id, code, programme, wave, status, todo },
}: {
  registration: Registration
}) {
  const { t } = useTranslation(['inbox', 'admissions'])
  const { may } = useSession()
  return (
    <section aria-label={code}>
      <Text fw={600}>
        {may('pendaftaran-view') ? (
          <Anchor component={Link} to={`/pendaftaran/${id}`} inherit>
            {code}
          </Anchor>
        ) : (
          code
        )}
      </Text>
      <Text size="sm" c="dimmed">
        {[programme, wave, t(`admissions:status.${status}` as 'admissions:status.draft')].filter(Boolean).join(' · ')}
      </Text>
      {todo.length === 0 ? (
        <Text size="sm" mt="xs">
          {t('noOpenSteps')}
        </Text>
      ) : (
        <ul className={classes.steps}>
          {todo.map((step) => (
            <StepFacts key={step.key} step={step} />
          ))}
        </ul>
      )}
    </section>
  )
}

function StepFacts({ step: { key, state, actor, blockedBy, dueAt, params } }: { step: Step }) {
  const { t } = useTranslation(['inbox', 'admissions', 'registration'])
  const { language } = useSurroundings()
  const due = dueAt && `${weekdayDate(dueAt, language)}, ${timeOfDay(dueAt, language)}`
  const words = {
    ...params,
    due: due ?? '',
    ...(typeof params.amount === 'number' && { amount: rupiah(params.amount) }),
  }
  const details = [
    blockedBy && t(`admissions:blocked.${blockedBy}`, words),
    state !== 'todo' && actor !== 'you' && t('registration:turn', { who: t(`admissions:todoActor.${actor}`) }),
    due && t('until', { at: due }),
  ].filter(Boolean)
  return (
    <li>
      <Text size="sm" fw={500}>
        {t(`admissions:todo.${key}`)}
      </Text>
      <StatusDot tone={tones[state]} label={t(`admissions:todoState.${state}`)} />
      {details.length > 0 && (
        <Text size="sm" c="dimmed">
          {details.join(' ')}
        </Text>
      )}
    </li>
  )
}
