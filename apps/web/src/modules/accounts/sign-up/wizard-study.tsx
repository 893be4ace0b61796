import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type StudyIntent, saveStudyIntent } from '#domain/accounts/endpoints.ts'
import { longDate, rupiah } from '#locales/format.ts'
import { ApiError } from '#web/api/client.ts'
import { useSend } from '#web/api/send.ts'
import { forgetChoice, keptChoice } from '#web/modules/accounts/arrival.ts'
import { useLanguage } from '#web/shell/language.ts'
import { Failure } from '#web/ui/failure.tsx'
import { useIntake } from './use-intake.ts'

type Props = { intent: StudyIntent | null; onSaved: (intent: StudyIntent) => void }

const matches = (value: string | undefined) => (offered: { id: string; code: string }) =>
  value !== undefined && (offered.id === value || offered.code.toLowerCase() === value.toLowerCase())

/** Wave, track and programmes; what was picked on a public page stands here already. */
export function StudyStep({ intent, onSaved }: Props) {
  const send = useSend(saveStudyIntent)
  const { t } = useTranslation('accounts')
  const language = useLanguage()
  const { data, isPending, isError, refetch } = useIntake()
  const [kept] = useState(keptChoice)
  const [picked, pick] = useState<{ wave?: string; track?: string; programmes?: string[] }>({})
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  const waves = (data?.data ?? [])
    .map((wave) => ({ ...wave, tracks: wave.tracks.filter((track) => track.state === 'open') }))
    .filter((wave) => wave.tracks.length > 0)
  const wave =
    waves.find(matches(picked.wave)) ??
    waves.find(matches(kept?.wave)) ??
    waves.find(matches(intent?.waveId ?? undefined)) ??
    waves[0]
  const track =
    wave?.tracks.find(matches(picked.track)) ??
    wave?.tracks.find(matches(kept?.track)) ??
    wave?.tracks.find(matches(intent?.trackId ?? undefined)) ??
    wave?.tracks[0]
  const offered = [
    ...new Map(
      (wave?.classProgrammes ?? []).flatMap(({ programmes }) => programmes).map((one) => [one.id, one]),
    ).values(),
  ].sort((a, b) => a.name.localeCompare(b.name))
  const first = offered.find(matches(kept?.programme))?.id
  const chosen = picked.programmes ?? (first ? [first] : (intent?.programmeIds ?? []))

  const choose = (position: number, id: string) => {
    const programmes = Array.from({ length: track?.maxChoices ?? 1 }, (_, index) => chosen[index] ?? '')
    programmes[position] = id
    pick({ ...picked, programmes })
  }

  const save = async (body: StudyIntent) => {
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      const { data: saved } = await send({ body })
      forgetChoice()
      onSaved(saved)
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : t('intake.failed'))
    } finally {
      setBusy(false)
    }
  }
  const later = () => save({ waveId: null, trackId: null, classProgrammeId: null, programmeIds: [] })
  const goOn = () => {
    const programmeIds = [
      ...new Set(chosen.slice(0, track?.maxChoices ?? 1).filter((id) => offered.some((one) => one.id === id))),
    ]
    const programmes = programmeIds[0]
    const holding = wave?.classProgrammes.filter((one) => one.programmes.some(({ id }) => id === programmes)) ?? []
    return save({
      waveId: wave?.id ?? null,
      trackId: track?.id ?? null,
      // Only when nothing else is possible; otherwise it is asked with the registration.
      classProgrammeId: holding.length === 1 ? (holding[0]?.id ?? null) : null,
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
          onChange={(event) => pick({ wave: event.currentTarget.value })}
          data={waves.map((one) => ({ value: one.id, label: `${one.name} · ${one.academicYear}` }))}
        />
        <NativeSelect
          size="md"
          label={t('wizard.track')}
          description={[closes && t('intake.until', { date: longDate(closes, language) }), fee]
            .filter(Boolean)
            .join(' · ')}
          value={track.id}
          onChange={(event) => pick({ ...picked, wave: wave.id, track: event.currentTarget.value })}
          data={wave.tracks.map((one) => ({ value: one.id, label: one.name }))}
        />
        {Array.from({ length: track.maxChoices }, (_, position) => (
          <NativeSelect
            key={position}
            size="md"
            label={`${t('wizard.programme', { position: position + 1 })}${position > 0 ? ` (${t('wizard.optional')})` : ''}`}
            value={chosen[position] ?? ''}
            onChange={(event) => choose(position, event.currentTarget.value)}
            data={[
              { value: '', label: t('wizard.chooseProgramme') },
              ...offered.map((one) => ({
                value: one.id,
                label: `${(language === 'en' && one.nameEn) || one.name} (${one.degreeLevel})`,
                disabled: chosen.some((id, other) => other !== position && id === one.id),
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
