import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  downloadLetter,
  issueLetter,
  type LettersOfRegistration,
  listLettersOfRegistration,
} from '#domain/letters/endpoints.ts'
import { type Language, languages } from '#entities/define/language.ts'
import { pathOf } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useDownload } from '#web/api/use-download.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { fileNameOf } from './file-name.ts'
import { letterTones } from './tones.ts'

type Kind = LettersOfRegistration['kinds'][number]
type Letter = Kind['letters'][number]

/** Letters given to a registration, and those that can be given. */
export function LettersOfRegistrationCard({ registrationId }: { registrationId: string }) {
  const { t } = useTranslation('letters')
  const [language, setLanguage] = useState<Language>(useSurroundings().language)
  const answer = useEndpoint(listLettersOfRegistration, { params: { id: registrationId } })
  if (!answer.data) return <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={4} />
  const { kinds } = answer.data.data
  return (
    <Stack>
      <SegmentedControl
        value={language}
        onChange={(value) => setLanguage(value as Language)}
        aria-label={t('card.language')}
        data={languages.map((value) => ({ value, label: t(`language.${value}`) }))}
      />
      {kinds.length === 0 && <Text>{t('card.empty')}</Text>}
      {kinds.map((kind) => (
        <KindCard key={kind.id} registrationId={registrationId} kind={kind} language={language} />
      ))}
    </Stack>
  )
}

type Props = { registrationId: string; kind: Kind; language: Language }

function KindCard({ registrationId, kind, language }: Props) {
  const { t } = useTranslation('letters')
  const { may } = useSession()
  const form = useForm({
    call: issueLetter,
    params: { id: registrationId },
    body: { kindId: kind.id, language },
    done: ({ data }) => t('card.issued', { number: data.number }),
  })
  return (
    <Card title={kind.name}>
      <Stack gap="sm">
        {kind.letters.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('card.none')}
          </Text>
        )}
        {kind.letters.map((letter) => (
          <LetterLine key={letter.id} letter={letter} />
        ))}
        <Failure>{form.formError}</Failure>
        {may(issueLetter.access) && (
          <Group>
            <DisabledReason
              variant="default"
              reason={kind.refusal}
              loading={form.busy}
              onClick={form.submit}
              aria-label={`${t('card.issue')}: ${kind.name}`}
            >
              {t('card.issue')}
            </DisabledReason>
          </Group>
        )}
      </Stack>
    </Card>
  )
}

function LetterLine({ letter }: { letter: Letter }) {
  const { t } = useTranslation('letters')
  const file = useDownload()
  return (
    <Group justify="space-between">
      <div>
        <Text>{letter.number}</Text>
        <Text size="sm" c="dimmed">
          {t(`language.${letter.language}`)} · <DateText value={letter.issuedAt} as="datetime" />
        </Text>
        <StatusDot tone={letterTones[letter.state]} label={t(`state.${letter.state}`)} />
      </div>
      <Button
        variant="default"
        size="sm"
        loading={file.busy}
        onClick={() => file.start(pathOf(downloadLetter.path, { id: letter.id }), fileNameOf(letter))}
        aria-label={t('card.print', { number: letter.number })}
      >
        {t('download')}
      </Button>
    </Group>
  )
}
