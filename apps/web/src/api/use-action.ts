import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

/** Does something, says how it went, and asks anew for what may be different afterwards: what is on the screen first. */
export function useAction(visibleRows: readonly unknown[], ...lists: (readonly unknown[])[]) {
  const queries = useQueryClient()
  const [running, setRunning] = useState<string>()
  return {
    /** The name of the action that is under way. */
    running,
    async act<T>(
      name: string,
      run: () => Promise<T>,
      messageOf?: (answer: T) => string | undefined,
    ): Promise<T | undefined> {
      setRunning(name)
      try {
        const answer = await run()
        const message = messageOf?.(answer)
        if (message) notifications.show({ color: 'green', message })
        return answer
      } catch (error) {
        notifications.show({ color: 'red', message: (error as Error).message })
        return undefined
      } finally {
        setRunning(undefined)
        await queries.invalidateQueries({ queryKey: visibleRows })
        for (const queryKey of lists) void queries.invalidateQueries({ queryKey })
      }
    },
  }
}
