import fc from 'fast-check'
import { runs, seed } from './form.ts'

// A property test without its own number runs 100 times in the quick form. The day's seed repeats its draws.
fc.configureGlobal({ seed, numRuns: runs(100) })

export { fc }
