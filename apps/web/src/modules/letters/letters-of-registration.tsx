import { Anchor, Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
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
import { useWayBack } from '#web/shell/way-back.ts'
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

/** Letters issued to a registration, and kinds that can be issued. */
export function LettersOfRegistrationCard({ registrationId }: { registrationId: string }) {
  const { t } = useTranslation('letters')
  const { may } = useSession()
  const wayBack = useWayBack()
  const [language, setLanguage] = useState<Language>(useSurroundings().language)
  const answer = useEndpoint(listLettersOfRegistration, { params: { id: registrationId } })
  if (!answer.data) return <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={4} />
  const { kinds } = answer.data.data
  return (
    <Stack>
      <Group justify="space-between">
        <LanguageOfLetters value={language} onChange={setLanguage} />
        {may('surat-view') && (
          <Anchor component={Link} {...wayBack('/surat/terbit')}>
            {t('register.open')}
          </Anchor>
        )}
      </Group>
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
              <LetterLine
                key={letter.id}
                letter={letter}
                file={pathOf(downloadLetter.path, { id: letter.id })}
                label={t('download')}
              />
            ))}
            {may(issueLetter.access) && (
              <IssueButton
                call={issueLetter}
                label={t('card.issue')}
                registrationId={registrationId}
                kind={kind}
                language={language}
              />
            )}
          </Stack>
        </Card>
      ))}
    </Stack>
  )
}

/** The applicant's own valid letters and those they can issue themselves; renders nothing if there are none. */
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
        <Text c="dimmed">{t('own.lead')}</Text>
        {kinds.some(({ selfService }) => selfService) && <LanguageOfLetters value={language} onChange={setLanguage} />}
        {kinds.map((kind) => (
          <Stack key={kind.id} gap="sm">
            <Title order={3} size="h5">
              {kind.name}
            </Title>
            {kind.letters.map((letter) => (
              <LetterLine key={letter.id} letter={letter} file={fileOf(letter)} label={t('own.download')} />
            ))}
            {kind.selfService && !kind.letters.some((letter) => letter.language === language) && (
              <IssueButton
                call={takeOwnLetter}
                label={t('own.take')}
                registrationId={registrationId}
                kind={kind}
                language={language}
              />
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
  label: string
  registrationId: string
  kind: Kind
  language: Language
}

function IssueButton({ call, label, registrationId, kind, language }: Issuing) {
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
          aria-label={`${label}: ${kind.name}`}
        >
          {label}
        </DisabledReason>
      </Group>
    </>
  )
}

function LetterLine({ letter, file, label }: { letter: Letter; file: string; label: string }) {
  const { t } = useTranslation('letters')
  const pdf = useDownload()
  return (
    <Group justify="space-between">
      <div>
        <Text>{letter.number}</Text>
        <Text size="sm" c="dimmed">
          {t(`language.${letter.language}`)} · <DateText value={letter.issuedAt} as="datetime" />
        </Text>
        {letter.validUntil && (
          <Text size="sm" c="dimmed">
            {t('letter.validUntil')} <DateText value={letter.validUntil} as="date" />
          </Text>
        )}
        <StatusDot tone={letterTones[letter.state]} label={t(`state.${letter.state}`)} />
        {letter.withdrawnReason && <Text size="sm">{letter.withdrawnReason}</Text>}
      </div>
      {letter.state === 'valid' && (
        <Button
          variant="default"
          loading={pdf.busy}
          onClick={() => pdf.start(file, fileNameOf(letter))}
          aria-label={`${label} ${letter.number}`}
        >
          {label}
        </Button>
      )}
    </Group>
  )
}
