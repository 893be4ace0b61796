import { saveStudyIntent } from '#domain/accounts/endpoints.ts'
import { sendOnce } from '#web/api/send.ts'
import { forgetChoice, keptChoice } from '#web/modules/accounts/arrival.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const idOf = (value: string | undefined) => (value && uuid.test(value) ? value : null)

/** Stores the choice from a public page in the account; drops a choice that is no longer offered. */
export async function keepStudyChoice() {
  const choice = keptChoice()
  if (!choice) return
  const programmeId = idOf(choice.programme)
  try {
    await sendOnce(saveStudyIntent, {
      body: {
        waveId: idOf(choice.wave),
        trackId: idOf(choice.track),
        classProgrammeId: idOf(choice.class),
        programmeIds: programmeId ? [programmeId] : [],
      },
    })
  } catch {
    return
  }
  forgetChoice()
}
