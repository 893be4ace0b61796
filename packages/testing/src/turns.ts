import { seed } from './form.ts'

/** `npm test` runs a third of the files in turns each day, and all of them within these days. */
export const turnDays = 3

/**
 * Slow test files with their own proof: most start a whole product, or walk a path whose rules other files prove below
 * the browser. Longest first, so that every day takes about as long. The whole form and runs of named files include all
 * of them.
 */
export const filesInTurns = {
  tests: [
    'scripts/update/update.test.ts',
    'apps/server/src/modules/trial/trial-apart.test.ts',
    'apps/server/src/modules/trial/trial.test.ts',
    'apps/server/src/modules/payments/banks/after-restore/after-restore.test.ts',
    'apps/server/src/platform/backup/backup.test.ts',
    'apps/server/src/restore-into.test.ts',
    'apps/server/src/first-start.test.ts',
    'apps/server/src/platform/postgres/embedded-postgres.test.ts',
    'apps/server/src/clear-demo.test.ts',
  ],
  journeys: [
    ...['test-day', 'campaign', 'school-visit', 'first-day', 'chat', 'selection', 'survey-offline', 'spec-section-8'],
    ...['back-office', 'survey-builder', 'enrolment-day', 'lost-answers', 'feeder', 'reviews', 'affiliates'],
    ...['student-desk', 'spec-section-5', 'rector-morning', 'staff-account', 'style-guide'],
  ].map((name) => `e2e/${name}.e2e.ts`),
} as const

/** Files that do not run on a day. */
export const restingOn = <T>(files: readonly T[], day: number) =>
  files.filter((_, index) => index % turnDays !== day % turnDays)

/** Files that do not run in this run: none unless `npm test` runs everything in its quick form. */
export const restingNow = (kind: keyof typeof filesInTurns): string[] =>
  process.env.TEST_TURNS === 'yes' ? restingOn(filesInTurns[kind], seed) : []
