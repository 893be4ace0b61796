import { headersOf } from './client.ts'

const url = '/api/dashboard'
const answerTimeoutMs = 30_000

/** Asks for the dashboard while the session still reads permissions and menu; the dashboard's page takes the answer. */
export function readDashboardEarly(token: string) {
  const headers = headersOf({}, token)
  const response = fetch(url, { headers, signal: AbortSignal.timeout(answerTimeoutMs) })
  // The reader of the answer handles a failure.
  response.catch(() => {})
  const language = headers['Accept-Language']!
  globalThis.earlyAnswer = { url, token, language, startedAtMs: performance.now(), response }
}
