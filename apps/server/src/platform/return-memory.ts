import v8 from 'node:v8'
import vm from 'node:vm'

const afterStartMs = 10_000

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Compacts the heap once, some seconds after a start. Loading leaves 40 MB of pages that are mostly empty, which Node
 * would otherwise keep for hours. Takes a tenth of a second.
 */
export function returnMemoryOfLoading() {
  setTimeout(() => {
    v8.setFlagsFromString('--expose-gc')
    const collect = vm.runInNewContext('gc') as Collect
    v8.setFlagsFromString('--no-expose-gc')
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, afterStartMs).unref()
}
