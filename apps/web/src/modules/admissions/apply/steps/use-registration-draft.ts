import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { getStudyIntent } from '#domain/accounts/endpoints.ts'
import { readIntake, readIntakeOptions } from '#domain/admissions/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { emptyForm, fitToOptions, isBegun, withIntent } from '#web/modules/admissions/apply/registration-form.ts'
import { useRegistration } from '#web/modules/admissions/registration/use-registration.ts'
import { useDraft } from '#web/ui/form/draft.tsx'
import { mergeServerDraft } from './screen.ts'

/** Keeps the device's draft in line with the server draft and the intake's offer. */
export function useRegistrationDraft() {
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const [form, setForm, draft] = useDraft('registration', emptyForm)
  const [resumed] = useState(draft.restored && isBegun(form))
  const addressId = search.get('id')
  const { waveId, trackId } = form
  const intake = useEndpoint(readIntake)
  const intent = useEndpoint(getStudyIntent)
  const registration = useRegistration(addressId ?? form.registrationId ?? '')
  const options = useEndpoint(
    readIntakeOptions,
    { query: { waveId: waveId ?? '', trackId: trackId ?? '' } },
    { enabled: waveId !== null && trackId !== null },
  )
  const waves = intake.data?.data ?? []
  const track = waves.find(({ id }) => id === waveId)?.tracks.find(({ id }) => id === trackId)

  // Loads a draft begun earlier or elsewhere at its first unanswered question; leaves a registration that is no longer
  // a draft.
  const detail = registration.data?.data
  useEffect(() => {
    if (!detail) return
    const current = mergeServerDraft(form, detail, addressId)
    if (!current) {
      draft.clear()
      setForm(emptyForm)
      navigate(`/pendaftaran/${detail.id}`, { replace: true })
    } else if (current !== form) setForm(current)
  }, [detail, addressId, form, navigate, setForm, draft.clear])

  // Fills in the choice made before sign-up.
  const studyIntent = intent.data?.data
  useEffect(() => {
    if (!studyIntent || !intake.data || addressId || form.trackId) return
    setForm((previous) => withIntent(previous, studyIntent, intake.data.data))
  }, [studyIntent, intake.data, addressId, form.trackId, setForm])

  const offer = options.data?.data
  useEffect(() => {
    if (offer) setForm((previous) => (previous.trackId === offer.track.id ? fitToOptions(previous, offer) : previous))
  }, [offer, setForm])

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
    addressId,
    intake,
    waves,
    registration,
    detail,
    options,
    /** Levels, classes and programmes of the chosen track. */
    offer,
    /** Track from the intake, or from the server draft if the intake does not list it. */
    track: track ?? detail?.track,
    loading: intake.isPending || (addressId !== null && registration.isPending),
  }
}

export type RegistrationDraft = ReturnType<typeof useRegistrationDraft>
