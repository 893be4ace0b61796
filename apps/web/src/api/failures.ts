/** Failed readings that wait for the reader's "Try again!": one dialog for all of them. */
export type Failure = { id: string; message: string; retry: () => void }

let failures: readonly Failure[] = []
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

export function reportFailure(failure: Failure) {
  failures = [...failures.filter((other) => other.id !== failure.id), failure]
  tell()
}

export function clearFailures() {
  if (failures.length === 0) return
  failures = []
  tell()
}

export function forgetFailure(id: string) {
  if (!failures.some((failure) => failure.id === id)) return
  failures = failures.filter((failure) => failure.id !== id)
  tell()
}

export const currentFailures = () => failures
export const onFailures = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
