import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { getStudyIntent } from '#domain/accounts/endpoints.ts'
import { readIntake, readIntakeOptions } from '#domain/admissions/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { emptyForm, fitted, withIntent } from '#web/modules/admissions/apply/registration-form.ts'
import { useRegistration } from '#web/modules/admissions/use-registration.ts'
import { useDraft } from '#web/ui/form/draft.tsx'
import { takenUp } from './screen.ts'

/** The draft on the device, kept in agreement with the draft on the server and with what the intake offers. */
export function useRegistrationDraft() {
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const [form, setForm, draft] = useDraft('registration', emptyForm)
  const [resumed] = useState(draft.restored && form.trackId !== null)
  const askedId = search.get('id')
  const { waveId, trackId } = form
  const intake = useEndpoint(readIntake)
  const intent = useEndpoint(getStudyIntent)
  const registration = useRegistration(askedId ?? form.registrationId ?? '')
  const options = useEndpoint(
    readIntakeOptions,
    { query: { waveId: waveId ?? '', trackId: trackId ?? '' } },
    { enabled: waveId !== null && trackId !== null },
  )
  const waves = intake.data?.data ?? []
  const track = waves.find(({ id }) => id === waveId)?.tracks.find(({ id }) => id === trackId)

  // A draft begun earlier or elsewhere is taken up where it stands; one that is no draft any more is let go.
  const detail = registration.data?.data
  useEffect(() => {
    if (!detail) return
    const current = takenUp(form, detail, askedId)
    if (!current) {
      draft.clear()
      setForm(emptyForm)
      navigate(`/pendaftaran/${detail.id}`, { replace: true })
    } else if (current !== form) setForm(current)
  }, [detail, askedId, form, navigate, setForm, draft.clear])

  // What was picked before signing up stands here already.
  const picked = intent.data?.data
  useEffect(() => {
    if (!picked || !intake.data || askedId || form.trackId) return
    setForm((before) => withIntent(before, picked, intake.data.data))
  }, [picked, intake.data, askedId, form.trackId, setForm])

  const chosen = options.data?.data
  useEffect(() => {
    if (chosen) setForm((before) => (before.trackId === chosen.track.id ? fitted(before, chosen) : before))
  }, [chosen, setForm])

  const forget = () => {
    draft.clear()
    setForm(emptyForm)
    setSearch({}, { replace: true })
  }
  return {
    form,
    setForm,
    /** Whether the answers were typed before this page was opened. */
    resumed,
    savedAt: draft.savedAt,
    failed: draft.failed,
    clear: draft.clear,
    forget,
    askedId,
    intake,
    waves,
    registration,
    detail,
    options,
    /** What the chosen track offers. */
    chosen,
    /** The track as the intake or the draft on the server has it. */
    track: track ?? detail?.track,
    loading: intake.isPending || (askedId !== null && registration.isPending),
  }
}

export type RegistrationDraft = ReturnType<typeof useRegistrationDraft>
