import { permissions } from '#domain/access/permissions.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'
import { accounts, demoId } from './university.ts'

type DemoRole = (typeof accounts)[number]['role']

/** The demo account of a role, acting with every permission. */
export function actorOf(role: DemoRole): Actor {
  const { email, name } = accounts.find((account) => account.role === role)!
  return {
    ...systemActor,
    ...{ accountId: demoId(`account:${email}`), email, name, role: { id: '', name: role } },
    permissions: new Set(permissions.map(({ slug }) => slug)),
  }
}

/** The owner of a registration, acting for it. */
export const applicantOf = ({ accountId }: { accountId: string }): Actor => ({
  ...systemActor,
  ...{ accountId, name: 'Calon mahasiswa', role: { id: '', name: 'Mahasiswa' }, scope: { kind: 'own' } },
})

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** Services whose clock shows a moment in the past. */
export const at = (services: Services, moment: Date): Services => ({
  ...services,
  clock: { ...services.clock, now: () => moment },
})
