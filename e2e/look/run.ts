import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { attachWorld, closeBrowser, openWorld } from '../support/world.ts'
import { withDemoRows } from './demo-rows.ts'
import { eachPage, looks, stopsOf, walk } from './walk.ts'

/**
 * `npm run look`: every page for every role at two widths, in two languages, two themes and two font sizes. Pictures go
 * to .data/look, complaints to .data/look/complaints.txt. `--short` takes each page once, `--looks 2` in that many
 * looks, `--only word` the matching pages.
 */
const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    looks: { type: 'string' },
    only: { type: 'string' },
    workers: { type: 'string', default: '2' },
    url: { type: 'string' },
    database: { type: 'string' },
  },
})
const folder = path.resolve('.data/look')
fs.mkdirSync(folder, { recursive: true })
const world = values.url ? await attachWorld(values.url, values.database ?? '') : await openWorld({ ownServer: true })
const complaints: string[] = []
try {
  const stops = await withDemoRows(world.databaseUrl, stopsOf)
  const areas =
    values.short || values.looks
      ? eachPage(stops, Number(values.looks ?? 1))
      : stops.flatMap((stop) => looks.map((look) => ({ stop, look })))
  const queue = areas.filter(({ stop }) => !values.only || `${stop.who} ${stop.address}`.includes(values.only))
  const total = queue.length
  console.log(`${total} views`)
  let done = 0
  await walk(world, queue, {
    workers: Number(values.workers),
    pictures: folder,
    judgedRows: 5,
    onView({ faults }) {
      complaints.push(...faults)
      for (const fault of faults) console.log(fault)
      done++
      if (done % 100 === 0) console.log(`${done} of ${total} views`)
    },
  })
} finally {
  await world.close()
  await closeBrowser()
}
fs.writeFileSync(path.join(folder, 'complaints.txt'), complaints.join('\n'))
console.log(complaints.length === 0 ? 'Nothing to mend.' : `${complaints.length} complaints, pictures in ${folder}`)
process.exitCode = complaints.length === 0 ? 0 : 1
