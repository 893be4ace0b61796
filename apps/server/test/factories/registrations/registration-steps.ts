import { startSession } from '#server/platform/access/authentication.ts'
import { actorWith, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import type { TestApp } from '#server-test/test-app.ts'

type World = { t: TestApp; academic: AcademicFixture }

export const now = new Date('2026-11-20T03:00:00Z')
export const days = (count: number) => new Date(now.getTime() + count * 86_400_000)
export const step = (actor: TestActor, id: string, action: string, body: object = {}) =>
  actor.post(`/pendaftaran/${id}/${action}`, body)
export const read = async (actor: TestActor, id: string) => (await actor.get(`/pendaftaran/${id}`)).json().data
export const todoOf = (detail: any, key: string) => detail.todo.find((item: any) => item.key === key)

/** Steps of a registration as applicants and staff take them, at the test's time. */
export function registrationSteps(world: () => World) {
  const place = () => ({
    waveId: world().academic.wave,
    trackId: world().academic.tracks.regular,
    entryLevelId: world().academic.entryLevel,
    classProgrammeId: world().academic.classProgramme,
  })

  const accept = (actor: TestActor, id: string, programmeId: string = world().academic.programmes[0]) =>
    step(actor, id, 'accept', { programmeId })

  /** Moves the clock and signs the actor in again. */
  const at = async (time: Date, actor: TestActor) => {
    world().t.clock.set(time)
    const { token } = await startSession(world().t.db, actor.accountId, { now: time })
    return actorWith(world().t, { accountId: actor.accountId, email: actor.email, token })
  }

  /** Deletes publications, because one for the whole wave would change the results in other tests. */
  const withoutPublication = () => world().t.db.deleteFrom('resultPublications').execute()

  return { place, accept, at, withoutPublication }
}
