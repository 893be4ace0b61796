import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

/** Runs an action, announces the result, and refetches `visibleRows`, then `lists`. */
export function useAction(visibleRows: readonly unknown[], ...lists: (readonly unknown[])[]) {
  const queries = useQueryClient()
  const [running, setRunning] = useState<string>()
  // A second click may arrive before the button is drawn as busy.
  const started = useRef(new Set<string>())
  /** Rethrows the failure for confirmation dialogs, which show it themselves. */
  async function actOrThrow<T>(
    name: string,
    run: () => Promise<T>,
    messageOf?: (answer: T) => string | undefined,
  ): Promise<T> {
    setRunning(name)
    try {
      const answer = await run()
      const message = messageOf?.(answer)
      if (message) notifications.show({ color: 'green', message })
      return answer
    } finally {
      setRunning(undefined)
      await queries.invalidateQueries({ queryKey: visibleRows })
      for (const queryKey of lists) void queries.invalidateQueries({ queryKey })
    }
  }
  return {
    /** Name of the action in progress. */
    running,
    actOrThrow,
    /** Shows a failure as a notification and resolves to undefined. Ignores a second call while the action runs. */
    act: async <T>(...action: Parameters<typeof actOrThrow<T>>): Promise<T | undefined> => {
      const [name] = action
      if (started.current.has(name)) return undefined
      started.current.add(name)
      try {
        return await actOrThrow(...action)
      } catch (error) {
        notifications.show({ color: 'red', message: (error as Error).message })
        return undefined
      } finally {
        started.current.delete(name)
      }
    },
  }
}
