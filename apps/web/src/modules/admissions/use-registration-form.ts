import { useRef } from 'react'
import {
  createRegistration,
  readRegistration,
  updateRegistration,
  withdrawRegistration,
} from '#domain/admissions/endpoints.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { ApiError, call, newIdempotencyKey } from '#web/api/client.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { picked, placeOf, type RegistrationForm } from './registration-form.ts'

const remember = (detail: RegistrationDetail) =>
  queryClient.setQueryData(keyOf(readRegistration, { params: { id: detail.id } }), { data: detail })

/** Brings what is filled in to the server: a new draft, or a change of the one there is. */
export function useSaveForm() {
  // The same key for every try: a lost answer must not make a second draft.
  const startKey = useRef<{ place: string | null; key: string }>({ place: null, key: '' })

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
    const signature = JSON.stringify([place, body])
    if (startKey.current.place !== signature) startKey.current = { place: signature, key: newIdempotencyKey() }
    const { data } = await call(
      createRegistration,
      { body: { ...body, waveId: form.waveId ?? '', trackId: form.trackId ?? '' } },
      { idempotencyKey: startKey.current.key },
    )
    // The draft for the track that was left is of no use any more.
    if (form.registrationId)
      await call(withdrawRegistration, {
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
    return await call(updateRegistration, { params, body: { ...body, version: await version() } })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'stale_version')) throw error
    return call(updateRegistration, { params, body: { ...body, version: await version() } })
  }
}
