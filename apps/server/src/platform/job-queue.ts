import type { z } from 'zod'
import type { Schema } from '#domain/endpoint.ts'
import type { Db } from './database/database.ts'

export type EnqueueOptions = {
  startAfter?: Date
  /** While a job with this key waits, another one is not added. */
  singletonKey?: string
}

/** The part of a job that adding it needs. */
export type Queue<S extends Schema> = { name: string; data: S }

/** How work is handed to the queues; modules hold this end of them in `services.jobs`. */
export type Jobs = {
  /** Adds the job in the same transaction: it runs if and only if the change is committed. */
  enqueue<S extends Schema>(tx: Db, job: Queue<S>, data: z.input<S>, options?: EnqueueOptions): Promise<void>

  /**
   * Adds a job for each element in one statement. Sends no NOTIFY, whose lock lets only one such transaction of the
   * database commit at a time: an idle worker finds the jobs when it polls, within 30 seconds.
   */
  enqueueMany<S extends Schema>(tx: Db, job: Queue<S>, list: readonly z.input<S>[]): Promise<void>

  /** Tells an event: one job for every job that names it in `on`, in the same transaction as the change. */
  publish(tx: Db, event: string, data: object, options?: Pick<EnqueueOptions, 'startAfter'>): Promise<void>

  /** As `publish`, for many events of one kind, without a NOTIFY. */
  publishMany(tx: Db, event: string, list: readonly object[]): Promise<void>
}
