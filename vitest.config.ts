import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
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
          // Importing the server takes seconds, and each file has a database of its own anyway.
          isolate: false,
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
