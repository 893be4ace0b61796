import {
  createRegistration,
  readRegistration,
  updateRegistration,
  withdrawRegistration,
} from '#domain/admissions/endpoints.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { ApiError, call } from '#web/api/client.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { sendOnce, useSend } from '#web/api/send.ts'
import { picked, placeOf, type RegistrationForm } from './registration-form.ts'

const remember = (detail: RegistrationDetail) =>
  queryClient.setQueryData(keyOf(readRegistration, { params: { id: detail.id } }), { data: detail })

/** Brings what is filled in to the server: a new draft, or a change of the one there is. */
export function useSaveForm() {
  const send = useSend(createRegistration)
  const withdraw = useSend(withdrawRegistration)

  return async (form: RegistrationForm, reasonOfChange: string): Promise<RegistrationDetail> => {
    const place = placeOf(form)
    const body = {
      entryLevelId: form.entryLevelId ?? '',
      classProgrammeId: form.classProgrammeId ?? '',
      choices: picked(form.choices),
      donationAmount: form.donationAmount,
    }
    if (form.registrationId && form.startedFor === place) {
      const { data } = await change(form.registrationId, body)
      remember(data)
      return data
    }
    const { data } = await send({ body: { ...body, waveId: form.waveId ?? '', trackId: form.trackId ?? '' } })
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
