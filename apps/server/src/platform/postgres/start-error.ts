/** A reason not to start that the person at the terminal can do something about: printed as it stands, exit code 1. */
export class StartError extends Error {}

export const isDiskFull = (error: unknown) =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ENOSPC' || /No space left on device/i.test(String(error))
