import { useTranslation } from 'react-i18next'
import {
  createRegistration,
  readDashboard,
  readRegistration,
  readTimeline,
  updateRegistration,
  withdrawRegistration,
} from '#domain/admissions/endpoints.ts'
import type { IntakeChoices } from '#domain/admissions/intake-schemas.ts'
import { listRegistrations } from '#domain/admissions/lists.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { rupiah } from '#locales/format.ts'
import { ApiError, call } from '#web/api/client.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { type Problem, placeOf, problemOf, programmeIdsOf, type RegistrationForm } from './registration-form.ts'

/** Puts a saved draft into the query cache and refetches queries that count or list it. */
function cacheRegistration(detail: RegistrationDetail) {
  queryClient.setQueryData(keyOf(readRegistration, { params: { id: detail.id } }), { data: detail })
  for (const endpoint of [readDashboard, readTimeline, listRegistrations])
    void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })
}

/** Body of the call that saves the form; the checks use the same body. */
export const bodyOf = (form: RegistrationForm) => ({
  waveId: form.waveId ?? '',
  trackId: form.trackId ?? '',
  entryLevelId: form.entryLevelId ?? '',
  classProgrammeId: form.classProgrammeId ?? '',
  choices: programmeIdsOf(form.choices),
  donationAmount: form.donationAmount,
})

const fieldOf: Record<Problem['key'], string> = {
  'form.chooseTrack': 'trackId',
  'form.chooseClass': 'classProgrammeId',
  'form.chooseFirst': 'choices',
  'form.chooseAmount': 'donationAmount',
  'form.chooseAnyAmount': 'donationAmount',
  'form.enterAmount': 'donationAmount',
}

type CheckInput = {
  form: RegistrationForm
  options: IntakeChoices | undefined
  untouched?: RegistrationForm
  refusal?: ApiError | undefined
}

/** Checks the form with the call's schema and the rules of the chosen track, class and first choice. */
export function useRegistrationChecks({ form, options, untouched = form, refusal = undefined }: CheckInput) {
  const { t } = useTranslation(['registration', 'common'])
  const problems = Object.fromEntries(
    (['track', 'programme', 'donation'] as const).flatMap((step) => {
      const problem = problemOf(step, form, options)
      return problem ? [[fieldOf[problem.key], t(problem.key, { amount: rupiah(problem.minimum ?? 0) }) as string]] : []
    }),
  )
  return useChecks(createRegistration, bodyOf(form), {
    refusal: refusal ?? null,
    untouched: bodyOf(untouched),
    known: { ...(form.entryLevelId === null && { entryLevelId: t('common:required') }), ...problems },
  })
}

/** Saves the form: creates a draft, or updates the existing one. */
export function useSaveForm() {
  return async (form: RegistrationForm, reasonOfChange: string): Promise<RegistrationDetail> => {
    const place = placeOf(form)
    const { waveId, trackId, ...body } = bodyOf(form)
    if (form.registrationId && form.startedFor === place) {
      const { data } = await updateDraft(form.registrationId, body)
      cacheRegistration(data)
      return data
    }
    const { data } = await sendOnce(createRegistration, { body: { ...body, waveId, trackId } })
    // The track changed, so withdraw the previous track's draft.
    if (form.registrationId)
      await sendOnce(withdrawRegistration, {
        params: { id: form.registrationId },
        body: { reason: reasonOfChange },
      }).catch(() => {})
    cacheRegistration(data)
    return data
  }
}

type Body = { entryLevelId: string; classProgrammeId: string; choices: string[]; donationAmount: number | null }

/** Only the applicant edits a draft, perhaps in two tabs: the later save wins. */
async function updateDraft(id: string, body: Body) {
  const params = { id }
  const version = async () => (await call(readRegistration, { params })).data.version
  try {
    return await sendOnce(updateRegistration, { params, body: { ...body, version: await version() } })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'stale_version')) throw error
    return sendOnce(updateRegistration, { params, body: { ...body, version: await version() } })
  }
}
