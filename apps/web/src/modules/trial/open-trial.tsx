import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { removeTrial, seeTrial, type TrialRefusal, type TrialView, takeTrialStep } from '#domain/trial/endpoints.ts'
import type { TrialStep, TrialStepState } from '#domain/trial/trial.ts'
import { dateTime } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useForm } from '#web/api/use-form.ts'
import { seeAs } from '#web/shell/session/see-as.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './trial.module.css'

type Props = { trial: TrialView }

/** A running trial: steps, messages, and buttons to view it and end it. */
export function OpenTrial({ trial }: Props) {
  const { t } = useTranslation('trial')
  const { language } = useSurroundings()
  const { may } = useSession()
  return (
    <Stack>
      {trial.clock && (
        <Alert color="blue" variant="light">
          {t('clock', { time: dateTime(trial.clock, language) })}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }} maw="80rem" style={{ alignItems: 'start' }}>
        <Steps trial={trial} />
        <Stack>
          <Card title={t('applicant')}>
            <Facts
              facts={[
                [t('applicant'), trial.name],
                [t('email'), trial.email],
                [t('wave'), trial.wave],
                [t('track'), `${trial.track} · ${trial.entryLevel}`],
                [t('programme'), `${trial.programme} · ${trial.classProgramme}`],
                [t('registration'), trial.registrationCode],
                ...(trial.studentNumber ? ([[t('studentNumber'), trial.studentNumber]] as const) : []),
                [t('removedAt'), <DateText key="removed" value={trial.removedAt} as="datetime" />],
              ]}
            />
            {may(takeTrialStep.access) && <Actions />}
          </Card>
          <Messages trial={trial} />
        </Stack>
      </SimpleGrid>
    </Stack>
  )
}

const tones: Record<TrialStepState, Tone> = { done: 'done', next: 'attention', later: 'waiting', unneeded: 'waiting' }

function Steps({ trial }: Props) {
  const { t } = useTranslation('trial')
  const { may } = useSession()
  const next = trial.steps.find(({ state }) => state === 'next')
  const [refused, setRefused] = useState<{ step: TrialStep; refusal: TrialRefusal } | null>(null)
  const form = useForm({
    call: takeTrialStep,
    body: { step: next?.step },
    onDone: ({ meta: { refusal } }, { step }) => setRefused(refusal && step ? { step, refusal } : null),
  })
  return (
    <Card title={t('stepsTitle')}>
      <ol className={classes.steps}>
        {trial.steps.map(({ step, state }) => (
          <li key={step} data-state={state} aria-current={state === 'next' ? 'step' : undefined}>
            <div className={classes.step}>
              <span>{t(`steps.${step}`)}</span>
              <StatusDot tone={tones[state]} label={t(`states.${state}`)} />
            </div>
            {state === 'next' && (
              <Stack gap="sm" mt="xs" align="flex-start" aria-live="polite">
                {refused?.step === step && <Refusal refusal={refused.refusal} />}
                <Failure>{form.formError}</Failure>
                {may(takeTrialStep.access) && (
                  <Button onClick={() => form.submit()} loading={form.busy}>
                    {t('goOn')}
                  </Button>
                )}
              </Stack>
            )}
          </li>
        ))}
      </ol>
      {!next && (
        <Alert color="green" variant="light" mt="md">
          {t('through')}
        </Alert>
      )}
    </Card>
  )
}

function Refusal({ refusal: { message, sentences } }: { refusal: TrialRefusal }) {
  const { t } = useTranslation('trial')
  return (
    <Alert color="orange" variant="light" title={t('refusedTitle')} role="alert" w="100%">
      <Stack gap={4}>
        {sentences.length === 0 && <Text size="sm">{message}</Text>}
        {sentences.map((sentence) => (
          <Text key={sentence} size="sm" fw={600}>
            {sentence}
          </Text>
        ))}
        <Text size="sm">{t('refusedText')}</Text>
      </Stack>
    </Alert>
  )
}

function Actions() {
  const { t } = useTranslation('trial')
  const navigate = useNavigate()
  const seeing = useMutation<unknown, ApiError>({
    mutationFn: async () => seeAs(await sendOnce(seeTrial)),
    onSuccess: () => navigate('/dashboard'),
    onError: ({ message }) => notifications.show({ color: 'red', message }),
  })
  const removing = useForm({ call: removeTrial, done: t('removed') })
  return (
    <Group mt="md">
      <Button variant="default" onClick={() => seeing.mutate()} loading={seeing.isPending}>
        {t('see')}
      </Button>
      <ConfirmButton danger message={t('removeAsk')} onConfirm={() => removing.send()}>
        {t('remove')}
      </ConfirmButton>
    </Group>
  )
}

function Messages({ trial: { messages } }: Props) {
  const { t } = useTranslation('trial')
  return (
    <Card title={t('messages')} count={messages.length || null}>
      {messages.length === 0 && <Text c="dimmed">{t('noMessages')}</Text>}
      {messages.map(({ id, channel, subject, body, at }) => (
        <details key={id} className={classes.message}>
          <summary>
            {subject}{' '}
            <Text span size="sm" c="dimmed">
              {channel === 'whatsapp' ? t('channels.whatsapp') : t('channels.email')} ·{' '}
              <DateText value={at} as="datetime" />
            </Text>
          </summary>
          <Text size="sm" className={classes.body}>
            {body}
          </Text>
        </details>
      ))}
    </Card>
  )
}
