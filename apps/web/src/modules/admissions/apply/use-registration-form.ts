import { useTranslation } from 'react-i18next'
import {
  createRegistration,
  readRegistration,
  updateRegistration,
  withdrawRegistration,
} from '#domain/admissions/endpoints.ts'
import type { IntakeChoices } from '#domain/admissions/intake-schemas.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { rupiah } from '#locales/format.ts'
import { ApiError, call } from '#web/api/client.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { sendOnce, useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { picked, placeOf, problemOf, type RegistrationForm } from './registration-form.ts'

const remember = (detail: RegistrationDetail) =>
  queryClient.setQueryData(keyOf(readRegistration, { params: { id: detail.id } }), { data: detail })

/** What is filled in, as it is sent and checked. */
export const bodyOf = (form: RegistrationForm) => ({
  waveId: form.waveId ?? '',
  trackId: form.trackId ?? '',
  entryLevelId: form.entryLevelId ?? '',
  classProgrammeId: form.classProgrammeId ?? '',
  choices: picked(form.choices),
  donationAmount: form.donationAmount,
})

const fieldOf: Record<string, string> = {
  'form.chooseTrack': 'trackId',
  'form.chooseClass': 'classProgrammeId',
  'form.chooseFirst': 'choices',
  'form.chooseAmount': 'donationAmount',
  'form.chooseAnyAmount': 'donationAmount',
}

type Checking = {
  form: RegistrationForm
  options: IntakeChoices | undefined
  start?: RegistrationForm
  refusal?: ApiError | undefined
}

/** Checks the form with the schema of the call, and with what the chosen track, class and first choice ask for. */
export function useRegistrationChecks({ form, options, start = form, refusal = undefined }: Checking) {
  const { t } = useTranslation(['registration', 'common'])
  const known = Object.fromEntries(
    (['track', 'programme', 'donation'] as const).flatMap((step) => {
      const found = problemOf(step, form, options)
      return found
        ? [[fieldOf[found.key]!, t(found.key as never, { amount: rupiah(found.minimum ?? 0) }) as string]]
        : []
    }),
  )
  return useChecks(createRegistration, bodyOf(form), {
    refusal: refusal ?? null,
    start: bodyOf(start),
    known: { ...(form.entryLevelId === null && { entryLevelId: t('common:required') }), ...known },
  })
}

/** Brings what is filled in to the server: a new draft, or a change of the one there is. */
export function useSaveForm() {
  const send = useSend(createRegistration)
  const withdraw = useSend(withdrawRegistration)

  return async (form: RegistrationForm, reasonOfChange: string): Promise<RegistrationDetail> => {
    const place = placeOf(form)
    const { waveId, trackId, ...body } = bodyOf(form)
    if (form.registrationId && form.startedFor === place) {
      const { data } = await change(form.registrationId, body)
      remember(data)
      return data
    }
    const { data } = await send({ body: { ...body, waveId, trackId } })
    // The draft for the track that was left is of no use any more.
    if (form.registrationId)
      await withdraw({
        params: { id: form.registrationId },
        body: { reason: reasonOfChange },
      }).catch(() => {})
    remember(data)
    return data
  }
}

type Body = { entryLevelId: string; classProgrammeId: string; choices: string[]; donationAmount: number | null }

/** Only the applicant edits a draft, perhaps in two tabs: the later one wins. */
async function change(id: string, body: Body) {
  const params = { id }
  const version = async () => (await call(readRegistration, { params })).data.version
  try {
    return await sendOnce(updateRegistration, { params, body: { ...body, version: await version() } })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'stale_version')) throw error
    return sendOnce(updateRegistration, { params, body: { ...body, version: await version() } })
  }
}
