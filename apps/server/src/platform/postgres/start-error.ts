/** A reason not to start that the operator can fix; printed without a stack, exit code 1. */
export class StartError extends Error {}

export const isDiskFull = (error: unknown) =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ENOSPC' || /No space left on device/i.test(String(error))
