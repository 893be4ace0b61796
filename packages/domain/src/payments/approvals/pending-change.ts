import { z } from 'zod'

/** What a request about settings does; `mapping` says how CSV files are read, `keys` replaces keys that are made here. */
export const settingsActions = ['add', 'edit', 'mapping', 'keys'] as const

/** A change of settings that another person has not approved yet. */
export const pendingChange = z.object({
  /** The request on /persetujuan. */
  id: z.uuid(),
  action: z.enum(settingsActions),
  /** Name of the account or connection as it will be. */
  name: z.string(),
  requestedBy: z.object({ id: z.uuid(), name: z.string() }),
  requestedAt: z.iso.datetime(),
  /** Names of at most five accounts that may decide; empty when there is none besides the requester. */
  deciders: z.array(z.string()),
})
export type PendingChange = z.output<typeof pendingChange>
