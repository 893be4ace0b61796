import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'apps/**/*.test.tsx', 'scripts/**/*.test.ts'],
    globalSetup: ['apps/server/test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A machine under load is no reason for a test to fail: how long something may take is measured by `npm run bench`.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
