import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StudyIntent } from '#domain/accounts/endpoints.ts'
import { longDate, rupiah } from '#locales/format.ts'
import { useLanguage } from '#web/shell/language.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { useSaveIntent, useStudyChoice } from './use-study-choice.ts'

type Props = { intent: StudyIntent | null; onSaved: (intent: StudyIntent) => void }

const undecided: StudyIntent = { waveId: null, trackId: null, classProgrammeId: null, programmeIds: [] }

/** Wave, track and programmes, filled in with the choice from a public page. */
export function StudyStep({ intent, onSaved }: Props) {
  const { t } = useTranslation('accounts')
  const language = useLanguage()
  const choice = useStudyChoice(intent)
  const { wave, track, chosenIds } = choice
  const [trackMissing, setTrackMissing] = useState(false)
  const { save, isBusy, failure } = useSaveIntent(onSaved)

  const laterButton = (
    <Button variant="subtle" onClick={() => void save(undecided)} disabled={isBusy}>
      {t('wizard.skip')}
    </Button>
  )
  if (choice.isPending) return <Text role="status">…</Text>
  if (!wave)
    return (
      <Stack gap="md">
        <Alert variant="light" color="gray">
          {choice.isError ? t('intake.failed') : t('wizard.noWaves')}
        </Alert>
        <Failure>{failure}</Failure>
        <Group>
          {choice.isError && <Button onClick={() => void choice.refetch()}>{t('intake.again')}</Button>}
          {laterButton}
        </Group>
      </Stack>
    )

  const closes = track?.windows
    .map((window) => window.closesAt)
    .sort()
    .at(-1)
  const fee =
    track &&
    (track.freeOfFee || track.fee.maximum === 0
      ? t('intake.free')
      : t(track.fee.minimum === track.fee.maximum ? 'intake.fee' : 'intake.feeFrom', {
          amount: rupiah(track.fee.minimum),
        }))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setTrackMissing(!track)
        if (track) void save(choice.intentOf())
      }}
    >
      <Stack gap="md">
        <Text c="dimmed">{t('wizard.studyLead')}</Text>
        <NativeSelect
          size="md"
          label={t('wizard.wave')}
          value={wave.id}
          onChange={(event) => choice.chooseWave(event.currentTarget.value)}
          data={choice.waves.map((option) => ({ value: option.id, label: `${option.name} · ${option.academicYear}` }))}
        />
        <NativeSelect
          size="md"
          label={t('wizard.track')}
          description={[closes && t('intake.until', { date: longDate(closes, language) }), fee]
            .filter(Boolean)
            .join(' · ')}
          error={trackMissing && !track && t('wizard.chooseTrack')}
          value={track?.id ?? ''}
          onChange={(event) => choice.chooseTrack(event.currentTarget.value)}
          data={[
            ...(track ? [] : [{ value: '', label: t('wizard.chooseTrack') }]),
            ...wave.tracks.map((option) => ({ value: option.id, label: option.name })),
          ]}
        />
        {Array.from({ length: track?.maxChoices ?? 0 }, (_, position) => (
          <NativeSelect
            key={position}
            size="md"
            label={`${t('wizard.programme', { position: position + 1 })}${position > 0 ? ` (${t('wizard.optional')})` : ''}`}
            value={chosenIds[position] ?? ''}
            onChange={(event) => choice.chooseProgramme(position, event.currentTarget.value)}
            data={[
              { value: '', label: t('wizard.chooseProgramme') },
              ...choice.programmes.map((option) => ({
                value: option.id,
                label: `${(language === 'en' && option.nameEn) || option.name} (${option.degreeLevel})`,
                disabled: chosenIds.some((id, otherPosition) => otherPosition !== position && id === option.id),
              })),
            ]}
          />
        ))}
        <Failure>{failure}</Failure>
        <Button type="submit" loading={isBusy} fullWidth>
          {t('wizard.next')}
        </Button>
        {laterButton}
      </Stack>
    </form>
  )
}
