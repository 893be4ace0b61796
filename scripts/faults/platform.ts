// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code of the product.
import type { Fault } from './fault.ts'

const masterData = 'apps/server/src/resource/resource.test.ts'
const exportsTest = 'apps/server/src/modules/transfer/exports.test.ts'

export const platformFaults: Fault[] = [
  {
    name: 'a stale form of master data overwrites what a colleague saved',
    file: 'apps/server/src/resource/store.ts',
    find: "      if (before.version !== version) throw conflict('stale_version', { current: before })\n",
    replace: '',
    foundBy: [
      {
        file: masterData,
        test: 'fakultas is edited once per version; a second editor is refused',
        beside: 'fakultas is created, read and listed',
      },
    ],
  },
  {
    name: 'a change of master data leaves no entry in the audit log',
    file: 'apps/server/src/resource/store.ts',
    find: '      await recordAudit(tx, actor, { action: `${entity.slug}.${action}`, on: { [entity.slug]: id }, before, after })\n',
    replace: '',
    foundBy: [
      {
        file: masterData,
        test: 'fakultas is deactivated, is no longer an option, and has a history',
        beside: 'fakultas is created, read and listed',
      },
    ],
  },
  {
    name: 'a write sent again with its idempotency key happens again',
    file: 'apps/server/src/platform/http/idempotency.ts',
    find: "if (key === undefined || request.method === 'GET' || !request.actor) return",
    replace: "if (request.method !== 'OPTIONS') return",
    foundBy: [
      {
        file: 'apps/server/src/platform/http/idempotency.test.ts',
        test: 'the same write sent again gets the stored answer and happens once',
        beside: 'is declared with secretAnswer on every write that returns a secret',
      },
    ],
  },
  {
    name: 'an idempotency key protects a write for an hour instead of a day',
    file: 'apps/server/src/platform/http/idempotency.ts',
    find: 'const keptMs = 24 * 3_600_000',
    replace: 'const keptMs = 3_600_000',
    foundBy: [
      {
        file: 'apps/server/src/platform/http/idempotency.test.ts',
        test: 'before a day has passed the key is not free',
        beside: 'the same write sent again gets the stored answer and happens once',
      },
    ],
  },
  {
    name: 'an export leaves its last column out',
    file: 'apps/server/src/list/serve-list.ts',
    find: '.filter(([key]) => keys === undefined || keys.includes(key))',
    replace: '.filter(([key]) => keys === undefined || keys.includes(key)).slice(0, -1)',
    foundBy: [
      {
        file: exportsTest,
        test: 'has the chosen columns in the chosen order',
        beside: 'is refused without the permission to see the list',
      },
    ],
  },
  {
    name: 'an export leaves its last row out',
    file: 'apps/server/src/platform/sheets/read-rows.ts',
    find: 'if (rows.length < batchSize) return yield* converted',
    replace: 'if (rows.length < batchSize) return yield* converted.slice(0, -1)',
    foundBy: [
      {
        file: exportsTest,
        test: 'has the filtered rows, names and codes instead of ids',
        beside: 'because of a key with a NUL is refused like the page of the same rows',
      },
    ],
  },
  {
    name: 'a spreadsheet runs a name in an export as a formula',
    file: 'apps/server/src/platform/sheets/csv-writer.ts',
    find: "(/^(?!\\+\\d+$)[=+\\-@\\t\\r]/.test(text) ? `'${text}` : text)",
    replace: "(/^[\\t\\r]/.test(text) ? `'${text}` : text)",
    foundBy: [
      {
        file: exportsTest,
        test: 'neutralises text that looks like a formula',
        beside: 'has only rows of the programmes a role is limited to',
      },
    ],
  },
  {
    name: 'a sentence is missing in Indonesian',
    file: 'packages/locales/src/id/offers.ts',
    find: "  late: 'Batas waktunya sudah lewat. Perpanjang dahulu.',\n",
    replace: '',
    foundBy: [{ check: 'sentences', says: 'offers:late is missing in Indonesian' }],
  },
  {
    name: 'the hours of a card are wider than a phone',
    file: 'apps/web/src/modules/dashboards/cards.module.css',
    find: 'grid-template-columns: repeat(auto-fit, minmax(2.75em, 1fr));',
    replace: 'grid-template-columns: repeat(24, minmax(2.75em, 1fr));',
    foundBy: [
      {
        file: 'e2e/look.e2e.ts',
        test: 'fit on a phone with a font size of 16 px',
        beside: 'looks are distributed evenly',
      },
    ],
  },
  {
    name: 'code changes under a how-to',
    file: 'packages/domain/src/leads/leads.ts',
    find: '/** Days a sign-up link is valid. */',
    replace: '/** Days for which a sign-up link is valid. */',
    foundBy: [
      {
        file: 'scripts/how-tos/how-tos.test.ts',
        test: 'add-a-setting: its diffs apply to the project as it is',
        beside: 'add-a-report: its diffs apply to the project as it is',
      },
    ],
  },
]
