import { z } from 'zod'
import { time } from '#entities/define/answer-time.ts'
import { typedMoment } from '#entities/define/typed-dates.ts'
import { typedLine } from '#entities/define/typed-text.ts'

export const scansPerRequest = 100

/** Fields of a scan at every door; the device generates the id, so a scan sent again is recorded once. */
export const scanFields = {
  id: z.uuid(),
  /** Device clock. */
  at: typedMoment,
}

/** Body of a call that sends a device's scans. */
export const sendingOf = <Scan extends z.ZodType>(scan: Scan) =>
  z.strictObject({
    device: z.strictObject({ id: z.uuid(), name: typedLine().min(1).max(80) }),
    /** Device clock at this sending; its difference from the server's clock corrects the times of the scans. */
    sentAt: typedMoment,
    scans: z.array(scan).min(1).max(scansPerRequest),
  })

/** When and on which device a person was recorded. */
export const arrival = z.object({ at: time, deviceName: z.string() })
export type Arrival = z.output<typeof arrival>

/** Answer to a scan at every door. */
export const answerOf = <Outcomes extends readonly [string, ...string[]]>(outcomes: Outcomes) =>
  z.object({
    id: z.uuid(),
    outcome: z.enum(outcomes),
    name: z.string().nullable(),
    /** Arrival recorded before this scan. */
    first: arrival.nullable(),
  })
