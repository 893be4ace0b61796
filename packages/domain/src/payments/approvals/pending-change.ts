import { z } from 'zod'
import { time } from '#entities/define/answer-time.ts'

/** Actions of requests about settings; `mapping` changes how CSV files are read, `keys` replaces our own keys. */
export const settingsActions = ['add', 'edit', 'mapping', 'keys'] as const

/** A change to settings that awaits another person's approval. */
export const pendingChange = z.object({
  /** The request on /persetujuan. */
  id: z.uuid(),
  action: z.enum(settingsActions),
  /** Name of the account or connection after the change. */
  name: z.string(),
  requestedBy: z.object({ id: z.uuid(), name: z.string() }),
  requestedAt: time,
  /** Names of at most five accounts that may decide; empty if only the requester could. */
  deciders: z.array(z.string()),
})
export type PendingChange = z.output<typeof pendingChange>
