import type { z } from 'zod'
import type { Db } from './database.ts'
import type { Services } from './services.ts'

export type Job<S extends z.ZodType = z.ZodType> = {
  /** Queue name; never rename while jobs may be waiting. */
  name: string
  /** Cron expression in the configured time zone. */
  schedule?: string
  /** Events that start it, one job each; see `publish`. */
  on?: string | readonly string[]
  data: S
  run(services: Services, data: z.output<S>): Promise<unknown>
}

export type AnyJob = Job<any>

export const defineJob = <S extends z.ZodType>(job: Job<S>): Job<S> => job

export type EnqueueOptions = {
  startAfter?: Date
  /** While a job with this key waits, another one is not added. */
  singletonKey?: string
}

export type Jobs = {
  /** Adds the job in the same transaction: it runs if and only if the change is committed. */
  enqueue<S extends z.ZodType>(tx: Db, job: Job<S>, data: z.input<S>, options?: EnqueueOptions): Promise<void>

  /** Tells an event: one job for every job that names it in `on`, in the same transaction as the change. */
  publish(tx: Db, event: string, data: Record<string, unknown>): Promise<void>
}
