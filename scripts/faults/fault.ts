/** Checks of `npm run check` that find a fault without a test. */
export const checks = {
  types: ['scripts/check-types.mjs'],
  sentences: ['scripts/locale-keys.ts'],
} as const

export type FoundBy =
  | {
      /** A test file or journey of `npm test`. */
      file: string
      /** Title of the test that fails by an assertion; a part of it is enough. */
      test: string
      /** Title of a test of the file that passes all the same: proves that the planted text still loads and runs. */
      beside: string
    }
  /** `says` is a part of what the check then prints. */
  | { check: keyof typeof checks; says: string }

/** One mistake in the product, and the tests of which at least one finds it. */
export type Fault = {
  /** A sentence that names the situation. */
  name: string
  file: string
  /** Text that occurs in the file exactly once. */
  find: string
  replace: string
  foundBy: FoundBy[]
}

export const countOf = (text: string, part: string) => text.split(part).length - 1
