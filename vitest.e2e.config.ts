import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './e2e/support/longest-first.ts'
import { restingNow } from './packages/testing/src/turns.ts'

export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    exclude: [...configDefaults.exclude, ...restingNow('journeys')],
    globalSetup: ['e2e/support/demo-folder.ts'],
    pool: 'forks',
    // All files of a worker share its server and its browser.
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 600_000,
    hookTimeout: 180_000,
    // A page on a busy machine shows its answer later than after the usual second.
    expect: { poll: { timeout: 15_000 } },
    chaiConfig: { truncateThreshold: 0 },
  },
})
