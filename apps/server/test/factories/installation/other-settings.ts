import type { Config } from '#server/config.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** Runs `work` with an administrator of a server that has other settings, on the database of `t`. */
export async function withSettings<T>(
  t: TestApp,
  config: Partial<Config>,
  work: (actor: TestActor, app: TestApp) => Promise<T>,
) {
  const app = await testApp({ sameDatabaseAs: t, config })
  try {
    return await work(await asStaff(app), app)
  } finally {
    await app.close()
  }
}
