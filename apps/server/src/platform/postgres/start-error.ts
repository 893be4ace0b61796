import { readableStack } from '#server/platform/source-positions.ts'

/** A reason not to start that the operator can fix; printed without a stack, exit code 1. */
export class StartError extends Error {}

/** Prints why the program could not start, and exits. */
export function exitWith(error: unknown): never {
  process.stderr.write(`\n${error instanceof StartError ? error.message : readableStack(error)}\n`)
  process.exit(1)
}

export const isDiskFull = (error: unknown) =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ENOSPC' || /No space left on device/i.test(String(error))
