import crypto from 'node:crypto'
import { ticketText } from '#server/modules/events/ticket-code.ts'
import type { TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'

let count = 0

/** Input as the event form sends it. */
export const eventInput = (change: Record<string, unknown> = {}) => {
  count++
  return {
    kind: 'open_day',
    nameId: `Open house ${count}`,
    nameEn: `Open day ${count}`,
    descriptionId: 'Lihat kampus kami.',
    descriptionEn: 'See our campus.',
    slug: `open-house-${count}`,
    schoolId: null,
    place: 'Kampus Utama',
    link: '',
    opensOn: '2026-11-01',
    closesOn: '2026-12-05',
    public: true,
    invited: 500,
    ownerId: null,
    sessions: [sessionInput()],
    affiliateIds: [],
    costs: [],
    ...change,
  }
}

/** 09.00 to 11.00 in Jakarta, two o'clock UTC. */
export const sessionInput = (change: Record<string, unknown> = {}) => ({
  id: null,
  name: '',
  date: '2026-12-05',
  startTime: '09:00',
  endTime: '11:00',
  room: 'Aula',
  capacity: 50,
  ...change,
})

/** A published event with the ids of its sessions. */
export async function aPublishedEvent(t: TestApp, staff: TestActor, change: Record<string, unknown> = {}) {
  const input = eventInput(change)
  const created = await staff.post('/event-afiliator', input)
  if (created.statusCode !== 200) throw new Error(created.body)
  const { id } = created.json().data
  await staff.post(`/event-afiliator/${id}/publish`)
  const sessions = await t.db
    .selectFrom('eventSessions')
    .select('id')
    .where('eventId', '=', id)
    .orderBy('startsAt')
    .orderBy('id')
    .execute()
  return { id: id as string, slug: input.slug, input, sessions: sessions.map((session) => session.id) }
}

let phones = 0

export const visitorInput = (sessionId: string, change: Record<string, unknown> = {}) => ({
  id: crypto.randomUUID(),
  sessionId,
  name: 'Dewi Lestari',
  phone: `0813${String(++phones).padStart(8, '0')}`,
  email: '',
  school: 'SMA Melati',
  grade: 'XII',
  wish: '',
  consent: true,
  language: 'id',
  ref: null,
  ...change,
})

export const registerAt = (t: TestApp, slug: string, visitor: object) =>
  t.app.inject({ method: 'POST', url: `/api/acara/${slug}/visitors`, payload: visitor })

/** Text in a ticket's QR code. */
export const qrTextOf = (t: TestApp, eventId: string, code: string) => ticketText(t.services, eventId, code)

export const doorPhone = (name: string) => ({ id: crypto.randomUUID(), name })

export const sendScans = (
  by: TestActor,
  eventId: string,
  sessionId: string,
  scans: readonly object[],
  device = doorPhone('HP pintu A'),
  sentAt = new Date(),
) => by.post(`/event-afiliator/${eventId}/scans`, { sessionId, device, sentAt: sentAt.toISOString(), scans })
