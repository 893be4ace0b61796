import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type StudyIntent, saveStudyIntent } from '#domain/accounts/endpoints.ts'
import { longDate, rupiah } from '#locales/format.ts'
import { ApiError } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { forgetChoice, keptChoice } from '#web/modules/accounts/arrival.ts'
import { useLanguage } from '#web/shell/language.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { useIntake } from './use-intake.ts'

type Props = { intent: StudyIntent | null; onSaved: (intent: StudyIntent) => void }

const matchesIdOrCode = (value: string | undefined) => (option: { id: string; code: string }) =>
  value !== undefined && (option.id === value || option.code.toLowerCase() === value.toLowerCase())

/** Wave, track and programmes, filled in with the choice from a public page. */
export function StudyStep({ intent, onSaved }: Props) {
  const { t } = useTranslation('accounts')
  const language = useLanguage()
  const { data, isPending, isError, refetch } = useIntake()
  const [arrivalChoice] = useState(keptChoice)
  const [selection, setSelection] = useState<{ wave?: string; track?: string; programmes?: string[] }>({})
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  const waves = (data?.data ?? [])
    .map((wave) => ({ ...wave, tracks: wave.tracks.filter((track) => track.state === 'open') }))
    .filter((wave) => wave.tracks.length > 0)
  const wave =
    waves.find(matchesIdOrCode(selection.wave)) ??
    waves.find(matchesIdOrCode(arrivalChoice?.wave)) ??
    waves.find(matchesIdOrCode(intent?.waveId ?? undefined)) ??
    waves[0]
  const track =
    wave?.tracks.find(matchesIdOrCode(selection.track)) ??
    wave?.tracks.find(matchesIdOrCode(arrivalChoice?.track)) ??
    wave?.tracks.find(matchesIdOrCode(intent?.trackId ?? undefined)) ??
    wave?.tracks[0]
  const offeredProgrammes = [
    ...new Map(
      (wave?.classProgrammes ?? [])
        .flatMap(({ programmes }) => programmes)
        .map((programme) => [programme.id, programme]),
    ).values(),
  ].sort((a, b) => a.name.localeCompare(b.name))
  const arrivalProgrammeId = offeredProgrammes.find(matchesIdOrCode(arrivalChoice?.programme))?.id
  const chosenIds = selection.programmes ?? (arrivalProgrammeId ? [arrivalProgrammeId] : (intent?.programmeIds ?? []))

  const chooseProgramme = (position: number, id: string) => {
    const programmes = Array.from({ length: track?.maxChoices ?? 1 }, (_, index) => chosenIds[index] ?? '')
    programmes[position] = id
    setSelection({ ...selection, programmes })
  }

  const save = async (body: StudyIntent) => {
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      const { data: savedIntent } = await sendOnce(saveStudyIntent, { body })
      forgetChoice()
      onSaved(savedIntent)
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : t('intake.failed'))
    } finally {
      setBusy(false)
    }
  }
  const later = () => save({ waveId: null, trackId: null, classProgrammeId: null, programmeIds: [] })
  const goOn = () => {
    const programmeIds = [
      ...new Set(
        chosenIds
          .slice(0, track?.maxChoices ?? 1)
          .filter((id) => offeredProgrammes.some((programme) => programme.id === id)),
      ),
    ]
    const programmes = programmeIds[0]
    const classesWithProgrammes =
      wave?.classProgrammes.filter((classProgramme) => classProgramme.programmes.some(({ id }) => id === programmes)) ??
      []
    return save({
      waveId: wave?.id ?? null,
      trackId: track?.id ?? null,
      // Set only if a single class offers all chosen programmes; otherwise the registration asks for the class.
      classProgrammeId: classesWithProgrammes.length === 1 ? (classesWithProgrammes[0]?.id ?? null) : null,
      programmeIds,
    })
  }

  const laterButton = (
    <Button variant="subtle" onClick={later} disabled={busy}>
      {t('wizard.skip')}
    </Button>
  )
  if (isPending) return <Text role="status">…</Text>
  if (!wave || !track)
    return (
      <Stack gap="md">
        <Alert variant="light" color="gray">
          {isError ? t('intake.failed') : t('wizard.noWaves')}
        </Alert>
        <Failure>{failure}</Failure>
        <Group>
          {isError && <Button onClick={() => void refetch()}>{t('intake.again')}</Button>}
          {laterButton}
        </Group>
      </Stack>
    )

  const closes = track.windows
    .map((window) => window.closesAt)
    .sort()
    .at(-1)
  const fee =
    track.freeOfFee || track.fee.maximum === 0
      ? t('intake.free')
      : t(track.fee.minimum === track.fee.maximum ? 'intake.fee' : 'intake.feeFrom', {
          amount: rupiah(track.fee.minimum),
        })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void goOn()
      }}
    >
      <Stack gap="md">
        <Text c="dimmed">{t('wizard.studyLead')}</Text>
        <NativeSelect
          size="md"
          label={t('wizard.wave')}
          value={wave.id}
          onChange={(event) => setSelection({ wave: event.currentTarget.value })}
          data={waves.map((option) => ({ value: option.id, label: `${option.name} · ${option.academicYear}` }))}
        />
        <NativeSelect
          size="md"
          label={t('wizard.track')}
          description={[closes && t('intake.until', { date: longDate(closes, language) }), fee]
            .filter(Boolean)
            .join(' · ')}
          value={track.id}
          onChange={(event) => setSelection({ ...selection, wave: wave.id, track: event.currentTarget.value })}
          data={wave.tracks.map((option) => ({ value: option.id, label: option.name }))}
        />
        {Array.from({ length: track.maxChoices }, (_, position) => (
          <NativeSelect
            key={position}
            size="md"
            label={`${t('wizard.programme', { position: position + 1 })}${position > 0 ? ` (${t('wizard.optional')})` : ''}`}
            value={chosenIds[position] ?? ''}
            onChange={(event) => chooseProgramme(position, event.currentTarget.value)}
            data={[
              { value: '', label: t('wizard.chooseProgramme') },
              ...offeredProgrammes.map((option) => ({
                value: option.id,
                label: `${(language === 'en' && option.nameEn) || option.name} (${option.degreeLevel})`,
                disabled: chosenIds.some((id, otherPosition) => otherPosition !== position && id === option.id),
              })),
            ]}
          />
        ))}
        <Failure>{failure}</Failure>
        <Button type="submit" loading={busy} fullWidth>
          {t('wizard.next')}
        </Button>
        {laterButton}
      </Stack>
    </form>
  )
}
