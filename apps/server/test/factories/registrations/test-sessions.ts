import { getEntity } from '#entities/index.ts'
import type { TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { takeSeat, testTaker } from './testing.ts'

type World = { t: TestApp; academic: AcademicFixture; staff: TestActor }

/** Actions of staff and applicants on test sessions; `world` is called each time, because tests start it late. */
export const sessionsOf = (world: () => World) => ({
  read: async (id: string) => (await world().staff.get(`/api/jadwal-test/${id}`)).json().data,

  /** Books a seat for a new applicant. */
  async book(sessionId: string, status = 'submitted') {
    const { t, academic } = world()
    const taker = await testTaker(t, academic, { status })
    const answer = await takeSeat(taker, sessionId)
    return { actor: taker.actor, registrationId: taker.id, answer, seatId: answer.json().data?.id as string }
  },

  messagesOf: async (accountId: string, event: string) =>
    (
      await world()
        .t.db.selectFrom('messages')
        .select('body')
        .where('accountId', '=', accountId)
        .where('event', '=', event)
        .where('channel', '=', 'inbox')
        .execute()
    ).map(({ body }) => body),

  /** Saves the master data form with other values. */
  async saveForm(id: string, values: object) {
    const { staff } = world()
    const { data } = (await staff.get(`/api/master/jadwal-test/${id}`)).json()
    const fields = [...Object.keys(getEntity('jadwal-test').fields), 'version']
    const body = { ...Object.fromEntries(fields.map((field) => [field, data[field]])), ...values }
    return staff.put(`/api/master/jadwal-test/${id}`, body)
  },
})
