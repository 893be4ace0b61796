import type { z } from 'zod'
import type { Schema } from '#domain/endpoint.ts'
import type { Db } from './database/database.ts'

export type EnqueueOptions = {
  startAfter?: Date
  /** No second job is added while one with this key waits. */
  singletonKey?: string
}

/** The part of a job needed to add it. */
export type Queue<S extends Schema> = { name: string; data: S }

/** Adds work to the queues; modules use it as `services.jobs`. */
export type Jobs = {
  /** Adds the job in the same transaction: it runs if and only if the change commits. */
  enqueue<S extends Schema>(tx: Db, job: Queue<S>, data: z.input<S>, options?: EnqueueOptions): Promise<void>

  /**
   * Adds a job for each element in one statement. Sends no NOTIFY, because its lock lets only one such transaction per
   * database commit at a time; idle workers are woken for them within two seconds.
   */
  enqueueMany<S extends Schema>(tx: Db, job: Queue<S>, list: readonly z.input<S>[]): Promise<void>

  /** Publishes an event: adds one job for each job that names it in `on`, in the transaction of the change. */
  publish(tx: Db, event: string, data: object, options?: Pick<EnqueueOptions, 'startAfter'>): Promise<void>

  /** Like `publish`, for many events of one kind, without NOTIFY. */
  publishMany(tx: Db, event: string, list: readonly object[]): Promise<void>
}
