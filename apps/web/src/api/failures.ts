/** A failed read and its retry; one dialog shows all of them. */
export type Failure = { id: string; message: string; retry: () => void }

let failures: readonly Failure[] = []
const listeners = new Set<() => void>()
const notifyListeners = () => {
  for (const listener of listeners) listener()
}

export function reportFailure(failure: Failure) {
  failures = [...failures.filter((known) => known.id !== failure.id), failure]
  notifyListeners()
}

export function clearFailures() {
  if (failures.length === 0) return
  failures = []
  notifyListeners()
}

export function forgetFailure(id: string) {
  if (!failures.some((failure) => failure.id === id)) return
  failures = failures.filter((failure) => failure.id !== id)
  notifyListeners()
}

export const currentFailures = () => failures
export const onFailures = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
