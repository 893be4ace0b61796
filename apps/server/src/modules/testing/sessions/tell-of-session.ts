import type { Language } from '#entities/define/language.ts'
import { weekdayDate } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Context } from '#server/platform/use-case.ts'

export type ToldSession = { name: string; date: string; startTime: string; location: string | null }
type Holder = { accountId: string; registrationId: string }
type Event = 'test-booked' | 'test-changed' | 'test-moved' | 'test-released' | 'test-reminder'

type Notice = { event: Event; session: ToldSession; reason?: string }

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
  context: Omit<Context, 'actor'>,
  { accountId, registrationId }: Holder,
  { event, session, reason }: Notice,
) =>
  notify(context, {
    accountId,
    event,
    params: sessionParams(session, reason),
    link: `/pendaftaran/${registrationId}`,
  })
