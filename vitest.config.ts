import os from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { restingNow } from './packages/testing/src/turns.ts'

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, ...restingNow('tests')],
    pool: 'forks',
    // Two keep two processors busy beside PostgreSQL.
    maxWorkers: Math.max(2, os.availableParallelism() - 1),
    globalSetup: ['packages/testing/src/temporary-files.ts'],
    setupFiles: ['packages/testing/src/measure-file.ts'],
    // A machine under load is no reason for a test to fail: how long something may take is measured by `npm run bench`.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['apps/server/**/*.test.ts'],
          globalSetup: ['apps/server/test/global-setup.ts'],
          // Importing the server takes seconds, and each file finds a database as if it were its own.
          isolate: false,
          // Node runs the server without Vite here as it does elsewhere: in half the time.
          experimental: { viteModuleRunner: false },
        },
      },
      {
        extends: true,
        test: {
          name: 'others',
          include: ['packages/**/*.test.ts', 'apps/web/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
        },
      },
    ],
  },
})
