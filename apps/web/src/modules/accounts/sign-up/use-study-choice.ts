import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type StudyIntent, saveStudyIntent } from '#domain/accounts/endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { forgetChoice, keptChoice } from '#web/modules/accounts/arrival.ts'
import { useIntake } from './use-intake.ts'

type Selection = { wave?: string; track?: string; programmes?: string[] }
type Option = { id: string; code: string }

/** First option matched by id or code, trying the values in order. */
function firstNamed<T extends Option>(options: readonly T[], values: readonly (string | null | undefined)[]) {
  for (const value of values) {
    const named = options.find(({ id, code }) => value && (id === value || code.toLowerCase() === value.toLowerCase()))
    if (named) return named
  }
  return undefined
}

/** Wave, track and programmes of the sign-up: chosen here, otherwise on a public page, otherwise saved before. */
export function useStudyChoice(intent: StudyIntent | null) {
  const { data, ...intake } = useIntake()
  const [arrivalChoice] = useState(keptChoice)
  const [selection, setSelection] = useState<Selection>({})

  const waves = (data?.data ?? [])
    .map((wave) => ({ ...wave, tracks: wave.tracks.filter((track) => track.state === 'open') }))
    .filter((wave) => wave.tracks.length > 0)
  const wave = firstNamed(waves, [selection.wave, arrivalChoice?.wave, intent?.waveId]) ?? waves[0]
  const tracks = wave?.tracks ?? []
  // If several tracks are open, the applicant must choose.
  const track =
    firstNamed(tracks, [selection.track, arrivalChoice?.track, intent?.trackId]) ??
    (tracks.length === 1 ? tracks[0] : undefined)
  const allProgrammes = (wave?.classProgrammes ?? []).flatMap(({ programmes }) => programmes)
  const programmes = [...new Map(allProgrammes.map((programme) => [programme.id, programme])).values()].sort((a, b) =>
    a.name.localeCompare(b.name),
  )
  const arrivalProgramme = arrivalChoice?.programme?.toLowerCase()
  const arrivalProgrammeId = programmes.find(
    ({ id, code }) => id === arrivalChoice?.programme || code.toLowerCase() === arrivalProgramme,
  )?.id
  const chosenIds = selection.programmes ?? (arrivalProgrammeId ? [arrivalProgrammeId] : (intent?.programmeIds ?? []))

  return {
    ...intake,
    waves,
    wave,
    track,
    programmes,
    chosenIds,
    chooseWave: (id: string) => setSelection({ wave: id }),
    chooseTrack: (id: string) => setSelection({ ...selection, ...(wave && { wave: wave.id }), track: id }),
    chooseProgramme(position: number, id: string) {
      const ids = Array.from({ length: track?.maxChoices ?? 1 }, (_, index) => chosenIds[index] ?? '')
      ids[position] = id
      setSelection({ ...selection, programmes: ids })
    },
    /** The choice in the form it is saved. */
    intentOf(): StudyIntent {
      const offeredIds = chosenIds.slice(0, track?.maxChoices ?? 1).filter((id) => programmes.some((p) => p.id === id))
      const programmeIds = [...new Set(offeredIds)]
      const classes = (wave?.classProgrammes ?? []).filter((offer) =>
        offer.programmes.some(({ id }) => id === programmeIds[0]),
      )
      return {
        waveId: wave?.id ?? null,
        trackId: track?.id ?? null,
        // Set only if chosen on a public page or if a single class offers the first choice; otherwise the registration
        // asks for the class.
        classProgrammeId:
          firstNamed(classes, [arrivalChoice?.class, intent?.classProgrammeId])?.id ??
          (classes.length === 1 ? (classes[0]?.id ?? null) : null),
        programmeIds,
      }
    },
  }
}

/** Saves the choice, one call at a time; `failure` is the sentence about the last attempt. */
export function useSaveIntent(onSaved: (intent: StudyIntent) => void) {
  const { t } = useTranslation('accounts')
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const save = async (body: StudyIntent) => {
    if (isBusy) return
    setIsBusy(true)
    setFailure(undefined)
    try {
      const { data: savedIntent } = await sendOnce(saveStudyIntent, { body })
      forgetChoice()
      onSaved(savedIntent)
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : t('intake.failed'))
    } finally {
      setIsBusy(false)
    }
  }
  return { save, isBusy, failure }
}
