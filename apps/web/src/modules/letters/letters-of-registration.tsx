import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  downloadLetter,
  downloadOwnLetter,
  issueLetter,
  type LettersOfRegistration,
  listLettersOfRegistration,
  listOwnLetters,
  takeOwnLetter,
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
import { LoadingOrFailed, Missing } from '#web/ui/states/missing.tsx'
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
  const { may } = useSession()
  const [language, setLanguage] = useState<Language>(useSurroundings().language)
  const answer = useEndpoint(listLettersOfRegistration, { params: { id: registrationId } })
  if (!answer.data) return <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={4} />
  const { kinds } = answer.data.data
  return (
    <Stack>
      <LanguageOfLetters value={language} onChange={setLanguage} />
      {kinds.length === 0 && <Text>{t('card.empty')}</Text>}
      {kinds.map((kind) => (
        <Card key={kind.id} title={kind.name}>
          <Stack gap="sm">
            {kind.letters.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('card.none')}
              </Text>
            )}
            {kind.letters.map((letter) => (
              <LetterLine key={letter.id} letter={letter} file={pathOf(downloadLetter.path, { id: letter.id })} />
            ))}
            {may(issueLetter.access) && (
              <IssueButton call={issueLetter} registrationId={registrationId} kind={kind} language={language} />
            )}
          </Stack>
        </Card>
      ))}
    </Stack>
  )
}

/** The applicant's own valid letters, and those to take without the office; nothing where there are none. */
export default function OwnLettersCard({ registrationId }: { registrationId: string }) {
  const { t } = useTranslation('letters')
  const [language, setLanguage] = useState<Language>(useSurroundings().language)
  const { data, error, refetch } = useEndpoint(listOwnLetters, { params: { id: registrationId } })
  if (!data) return <Missing what={t('card.title')} error={error} onRetry={refetch} />
  const { kinds } = data.data
  if (kinds.length === 0) return null
  const fileOf = (letter: Letter) => pathOf(downloadOwnLetter.path, { id: registrationId, letterId: letter.id })
  return (
    <Card title={t('card.title')}>
      <Stack>
        {kinds.some(({ selfService }) => selfService) && <LanguageOfLetters value={language} onChange={setLanguage} />}
        {kinds.map((kind) => (
          <Stack key={kind.id} gap="sm">
            <Title order={3} size="h5">
              {kind.name}
            </Title>
            {kind.letters.map((letter) => (
              <LetterLine key={letter.id} letter={letter} file={fileOf(letter)} />
            ))}
            {kind.selfService && (
              <IssueButton call={takeOwnLetter} registrationId={registrationId} kind={kind} language={language} />
            )}
          </Stack>
        ))}
      </Stack>
    </Card>
  )
}

type Choice = { value: Language; onChange: (language: Language) => void }

function LanguageOfLetters({ value, onChange }: Choice) {
  const { t } = useTranslation('letters')
  return (
    <SegmentedControl
      value={value}
      onChange={(chosen) => onChange(chosen as Language)}
      aria-label={t('card.language')}
      data={languages.map((one) => ({ value: one, label: t(`language.${one}`) }))}
    />
  )
}

type Issuing = {
  call: typeof issueLetter | typeof takeOwnLetter
  registrationId: string
  kind: Kind
  language: Language
}

function IssueButton({ call, registrationId, kind, language }: Issuing) {
  const { t } = useTranslation('letters')
  const form = useForm({
    call,
    params: { id: registrationId },
    body: { kindId: kind.id, language },
    done: ({ data }) => t('card.issued', { number: data.number }),
  })
  return (
    <>
      <Failure>{form.formError}</Failure>
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
    </>
  )
}

function LetterLine({ letter, file }: { letter: Letter; file: string }) {
  const { t } = useTranslation('letters')
  const pdf = useDownload()
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
        loading={pdf.busy}
        onClick={() => pdf.start(file, fileNameOf(letter))}
        aria-label={t('card.print', { number: letter.number })}
      >
        {t('download')}
      </Button>
    </Group>
  )
}
