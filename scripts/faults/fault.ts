/** Checks of `npm run check` that find a fault without a test. */
export const checks = {
  types: ['scripts/check-types.mjs'],
  sentences: ['scripts/locale-keys.ts'],
} as const

export type FoundBy =
  | {
      /** A test file or journey of `npm test`. */
      file: string
      /** Title (or part of it) of the test that must fail by an assertion. */
      test: string
      /** Title of another test in the file that must still pass, which proves that the planted text loads and runs. */
      beside: string
    }
  /** `says` is a part of the check's output. */
  | { check: keyof typeof checks; says: string }

/** One mistake in the product, and the tests of which at least one must find it. */
export type Fault = {
  /** A sentence that names the situation. */
  name: string
  file: string
  /** Text that occurs exactly once in the file. */
  find: string
  replace: string
  foundBy: FoundBy[]
}

export const countOf = (text: string, part: string) => text.split(part).length - 1
