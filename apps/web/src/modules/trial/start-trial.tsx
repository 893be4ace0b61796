import { Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readTrialChoices, startTrial, type TrialChoices } from '#domain/trial/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { Missing } from '#web/ui/states/missing.tsx'

/** Selects what to try among everything the settings offer, even before it opens. */
export function StartTrial() {
  const { t } = useTranslation('trial')
  const { data, error, refetch } = useEndpoint(readTrialChoices)
  if (!data) return error ? <Missing what={t('choose')} error={error} onRetry={refetch} /> : <LoadingRows rows={4} />
  const { waves, windows, places } = data.data
  const offered = waves.filter(
    ({ id }) => windows.some(({ waveId }) => waveId === id) && places.some(({ waveId }) => waveId === id),
  )
  if (offered.length === 0)
    return (
      <Card>
        <EmptyState title={t('nothingTitle')}>
          <Text>{t('nothingText')}</Text>
        </EmptyState>
      </Card>
    )
  return <StartForm choices={{ ...data.data, waves: offered }} />
}

function StartForm({ choices: { waves, windows, places } }: { choices: TrialChoices }) {
  const { t } = useTranslation('trial')
  const { may } = useSession()
  const [chosenWave, setWave] = useState<string | null>(null)
  const [chosenWindow, setWindow] = useState<string | null>(null)
  const [chosenPlace, setPlace] = useState<string | null>(null)

  const waveId = chosenWave ?? waves[0]!.id
  const windowChoices = windows
    .filter((window) => window.waveId === waveId)
    .map((window) => ({
      window,
      value: `${window.track.id} ${window.entryLevel.id}`,
      label: `${window.track.name} · ${window.entryLevel.name}`,
    }))
  const track = windowChoices.find(({ value }) => value === chosenWindow) ?? windowChoices[0]
  const placeChoices = places
    .filter((place) => place.waveId === waveId && place.entryLevelId === track?.window.entryLevel.id)
    .map((place) => ({
      place,
      value: `${place.programme.id} ${place.classProgramme.id}`,
      label: `${place.programme.name} · ${place.classProgramme.name}`,
    }))
  const programme = placeChoices.find(({ value }) => value === chosenPlace) ?? placeChoices[0]

  const form = useForm({
    call: startTrial,
    body: {
      waveId,
      trackId: track?.window.track.id,
      entryLevelId: track?.window.entryLevel.id,
      classProgrammeId: programme?.place.classProgramme.id,
      programmeId: programme?.place.programme.id,
    },
  })
  const select = { allowDeselect: false, searchable: true, disabled: form.busy || !may(startTrial.access) }
  return (
    <Card title={t('choose')}>
      <PageForm form={form} submit={may(startTrial.access) ? t('start') : null} maw={560}>
        <Select
          {...select}
          label={t('wave')}
          data={waves.map(({ id, name }) => ({ value: id, label: name }))}
          value={waveId}
          onChange={setWave}
          {...form.field('waveId')}
        />
        <Select
          {...select}
          label={t('track')}
          data={windowChoices}
          value={track?.value ?? null}
          onChange={setWindow}
          {...form.field('trackId')}
        />
        <Select
          {...select}
          label={t('programme')}
          data={placeChoices}
          value={programme?.value ?? null}
          onChange={setPlace}
          {...form.field('programmeId')}
        />
        {placeChoices.length === 0 && <Text size="sm">{t('noTrack')}</Text>}
      </PageForm>
    </Card>
  )
}
