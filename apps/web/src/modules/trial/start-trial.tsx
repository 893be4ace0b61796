import { Select, Text } from '@mantine/core'
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

/** Keys of the chosen options; null for the first one. A track is offered per entry level, a programme per class. */
type Chosen = { waveId: string | null; trackId: string | null; programmeId: string | null }

const nothingChosen: Chosen = { waveId: null, trackId: null, programmeId: null }

/** Options that fit the choices above them, and the chosen ones. */
function offersFor(chosen: Chosen, { waves, windows, places }: TrialChoices) {
  const waveId = chosen.waveId ?? waves[0]!.id
  const tracks = windows
    .filter((window) => window.waveId === waveId)
    .map((window) => ({
      window,
      value: `${window.track.id} ${window.entryLevel.id}`,
      label: `${window.track.name} · ${window.entryLevel.name}`,
    }))
  const track = tracks.find(({ value }) => value === chosen.trackId) ?? tracks[0]
  const programmes = places
    .filter((place) => place.waveId === waveId && place.entryLevelId === track?.window.entryLevel.id)
    .map((place) => ({
      place,
      value: `${place.programme.id} ${place.classProgramme.id}`,
      label: `${place.programme.name} · ${place.classProgramme.name}`,
    }))
  const programme = programmes.find(({ value }) => value === chosen.programmeId) ?? programmes[0]
  return { waveId, tracks, track, programmes, programme }
}

function StartForm({ choices }: { choices: TrialChoices }) {
  const { t } = useTranslation('trial')
  const { may } = useSession()
  const form = useForm({
    call: startTrial,
    start: nothingChosen,
    body: (chosen) => {
      const { waveId, track, programme } = offersFor(chosen, choices)
      return {
        waveId,
        trackId: track?.window.track.id,
        entryLevelId: track?.window.entryLevel.id,
        classProgrammeId: programme?.place.classProgramme.id,
        programmeId: programme?.place.programme.id,
      }
    },
  })
  const { waveId, tracks, track, programmes, programme } = offersFor(form.values, choices)
  const select = { allowDeselect: false, searchable: true, disabled: form.busy || !may(startTrial.access) }
  return (
    <Card title={t('choose')}>
      <PageForm form={form} submit={may(startTrial.access) ? t('start') : null} maw={560}>
        <Select
          {...select}
          label={t('wave')}
          data={choices.waves.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.value('waveId')}
          value={waveId}
        />
        <Select {...select} label={t('track')} data={tracks} {...form.value('trackId')} value={track?.value ?? null} />
        <Select
          {...select}
          label={t('programme')}
          data={programmes}
          {...form.value('programmeId')}
          value={programme?.value ?? null}
        />
        {programmes.length === 0 && <Text size="sm">{t('noTrack')}</Text>}
      </PageForm>
    </Card>
  )
}
