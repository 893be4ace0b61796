import fc from 'fast-check'
import { runs, seed } from './form.ts'

// A property test without a number of its own runs 100 times in the quick form. The seed of the day repeats its draws.
fc.configureGlobal({ seed, numRuns: runs(100) })

export { fc }
