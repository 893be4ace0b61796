import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconBrandWhatsapp, IconMessageCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { readHelp } from '#domain/chat/endpoints.ts'
import { helpPageOf } from '#domain/chat/help-page.ts'
import type { Answer } from '#domain/endpoint.ts'
import { useEndpoint } from '#web/api/query.ts'
import { showAsk } from '#web/modules/chat/ask-store.ts'
import { OfficeHours } from '#web/modules/chat/office-hours.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './need-help.module.css'

type HelpAnswer = Answer<typeof readHelp>['data']

/** The page's questions, who answers when, and the ways to reach the office. */
export default function Help({ pathname }: { pathname: string }) {
  const { t } = useTranslation('chat')
  const { data, error, refetch } = useEndpoint(readHelp, { query: { page: helpPageOf(pathname) } })
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={3} />
  const help = data.data
  return (
    <Stack gap="md" mt="xs">
      {help.questions.length > 0 && <Questions questions={help.questions} />}
      <div>
        <OfficeHours hours={help.hours} />
        <Text size="sm" c="dimmed">
          {t('help.who', { count: help.proofAnswerHours })}
        </Text>
      </div>
      <Ways help={help} />
    </Stack>
  )
}

function Questions({ questions }: Pick<HelpAnswer, 'questions'>) {
  const { t } = useTranslation('chat')
  const { language } = useSurroundings()
  return (
    <div className={classes.questions}>
      <Text fw={600}>{t('help.questions')}</Text>
      {questions.map(({ question, answer }) => (
        <details key={question.id}>
          <summary>{question[language]}</summary>
          <p>{answer[language]}</p>
        </details>
      ))}
    </div>
  )
}

function Ways({ help: { whatsapp, phone, email, registrationCode } }: { help: HelpAnswer }) {
  const { t } = useTranslation('chat')
  const greeting = registrationCode ? t('help.greeting', { code: registrationCode }) : t('help.greetingPlain')
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {whatsapp && (
          <Button
            component="a"
            href={`https://wa.me/${whatsapp}?text=${encodeURIComponent(greeting)}`}
            target="_blank"
            rel="noopener"
            variant="default"
            mih={44}
            leftSection={<IconBrandWhatsapp size={20} aria-hidden="true" />}
          >
            {t('help.whatsapp')}
          </Button>
        )}
        <Button
          variant="default"
          mih={44}
          aria-haspopup="dialog"
          leftSection={<IconMessageCircle size={20} aria-hidden="true" />}
          onClick={() => showAsk(true)}
        >
          {t('help.chat')}
        </Button>
      </Group>
      <Group gap="md">
        {phone && (
          <Anchor href={`tel:${phone.replace(/[^\d+]/g, '')}`} mih={44} style={{ alignContent: 'center' }}>
            {t('help.call', { phone })}
          </Anchor>
        )}
        {email && (
          <Anchor
            href={`mailto:${email}?subject=${encodeURIComponent(registrationCode ?? '')}`}
            mih={44}
            style={{ alignContent: 'center', overflowWrap: 'anywhere' }}
          >
            {email}
          </Anchor>
        )}
      </Group>
    </Stack>
  )
}
