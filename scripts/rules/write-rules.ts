import fs from 'node:fs'
import path from 'node:path'

/**
 * Checks that every write of the web goes through `sendOnce` or `upload`, which add an idempotency key. The type of
 * `call` refuses endpoints that write; this rule finds requests without `call` and casts of its type.
 */
const web = path.resolve(import.meta.dirname, '../../apps/web/src')

/** Files that may send without a key, with the reason. */
const exceptions: Record<string, string> = {
  'survey/api.ts': 'sends answers and photos under ids made on the device, which the server stores once',
  'shell/branding.ts': 'reads the name and colours of the university, before texts and client are set up',
}

const waysAround =
  /(?<![.\w])fetch\(|\bnew XMLHttpRequest\b|\bsendBeacon\b|\bcall as (?!\(endpoint: ReadEndpoint)|\b(sendWithKey|headersOf)\b/

const files = fs
  .readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith('api/'))
const problems = files.flatMap((file) =>
  fs
    .readFileSync(path.join(web, file), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const found = waysAround.exec(line)
      return found && !exceptions[file]
        ? [`apps/web/src/${file}:${index + 1} sends without a key (${found[0]}): take sendOnce or upload`]
        : []
    }),
)

if (files.length < 50) problems.push(`only ${files.length} files were read`)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
