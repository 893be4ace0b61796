import crypto from 'node:crypto'
import { createSessionCache } from '#server/platform/access/session-cache.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { AnyJob } from '#server/platform/jobs.ts'
import { outboxTransport } from '#server/platform/mail.ts'
import type { Services } from '#server/platform/services.ts'
import { trialJobs } from './trial-jobs.ts'

/** Prefix of a trial's files in the university's store. */
export const filePrefix = (trialId: string) => `trials/${trialId}/`

/**
 * The services of a trial: its own tables, clock, queue, sessions and files. The demo bank is its only bank, because
 * its tables do not include the university's connections; mail and messages are stored and never sent. A separate key
 * signs links and payment reports, so that none of them is valid outside the trial.
 */
export function trialServices(services: Services, trialId: string, db: Db, clock: Clock, jobs: readonly AnyJob[]) {
  const { config, log } = services
  const trial: Services = {
    ...services,
    trialId,
    db,
    clock,
    config: {
      ...config,
      demo: true,
      guardTransactions: false,
      secretKey: crypto.createHmac('sha256', config.secretKey).update(`trial ${trialId}`).digest('hex'),
      mail: { ...config.mail, smtpUrl: undefined },
      google: undefined,
    },
    mail: outboxTransport,
    files: filesOf(services.files, trialId),
    uploads: new Map(),
    jobs: trialJobs(jobs, clock),
    // Never started: without change notifications every lookup queries the database.
    sessions: createSessionCache({ db, connectionString: '', clock, log }),
  }
  return trial
}

/** Reads fall back to the university's files, for pictures and forms of its settings; writes never do. */
function filesOf(store: FileStore, trialId: string): FileStore {
  const prefix = filePrefix(trialId)
  return {
    put: (key, bytes, mime) => store.put(prefix + key, bytes, mime),
    read: (key) => store.read(prefix + key).catch(() => store.read(key)),
    bytes: (key) => store.bytes(prefix + key).catch(() => store.bytes(key)),
    remove: (key) => store.remove(prefix + key),
  }
}
