import type { Language } from '#entities/define/language.ts'
import { weekdayDate } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

export type ToldSession = { name: string; date: string; startTime: string; location: string | null }
type Holder = { accountId: string; registrationId: string }
type Event = 'test-booked' | 'test-changed' | 'test-moved' | 'test-released' | 'test-reminder'

/** Placeholders of a notice about a session; date and time are local at the university. */
export const sessionParams =
  (session: ToldSession, reason = '') =>
  (language: Language) => ({
    session: session.name,
    date: `${weekdayDate(session.date, language)}, ${session.startTime.replace(':', '.')}`,
    place: session.location ?? '',
    reason,
  })

/** Sends the holder of a seat a notice about the session, in this transaction. */
export const tellOfSession = (
  tx: Tx,
  services: Services,
  { accountId, registrationId }: Holder,
  event: Event,
  session: ToldSession,
  reason?: string,
) =>
  notify(tx, services, {
    accountId,
    event,
    params: sessionParams(session, reason),
    link: `/pendaftaran/${registrationId}`,
  })
