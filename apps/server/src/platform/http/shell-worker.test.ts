import { expect, test } from 'vitest'
import { testApp } from '#server-test/test-app.ts'
import { webBuild } from './web-build.ts'

test.skipIf(!webBuild().page)('phones keep the app, unless the setting takes it back from them', async () => {
  const keeping = await testApp()
  const forgetting = await testApp({ config: { keepsShell: false } })
  try {
    const workerOf = async ({ app }: typeof keeping) => {
      const answer = await app.inject('/sw.js')
      // A kept worker must not outlive the next one.
      expect(answer.headers['cache-control']).toMatch(/no-cache|max-age=0/)
      expect(answer.headers['content-type']).toMatch(/javascript/)
      return answer.body
    }
    expect(await workerOf(keeping)).toContain("addEventListener('fetch'")
    const none = await workerOf(forgetting)
    expect(none).toContain('unregister()')
    expect(none).not.toContain("addEventListener('fetch'")
  } finally {
    await Promise.all([keeping.close(), forgetting.close()])
  }
})
