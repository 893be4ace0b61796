import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

/** Runs an action, shows the result, and refetches `visibleRows`, then `lists`. */
export function useAction(visibleRows: readonly unknown[], ...lists: (readonly unknown[])[]) {
  const queries = useQueryClient()
  const [running, setRunning] = useState<string>()
  /** Throws the failure without showing it: for confirmation dialogs, which show it themselves. */
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
    /** The name of the action in progress. */
    running,
    actOrThrow,
    /** Shows a failure as a notification and resolves to undefined. */
    act: <T>(...action: Parameters<typeof actOrThrow<T>>): Promise<T | undefined> =>
      actOrThrow(...action).catch((error: Error) => {
        notifications.show({ color: 'red', message: error.message })
        return undefined
      }),
  }
}
