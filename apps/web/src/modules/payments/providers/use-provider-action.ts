import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listProviders, readProvider } from '#domain/payments/provider-endpoints.ts'
import { keyOf } from '#web/api/query.ts'

/** Does something with a connection, says how it went, and shows how it stands afterwards. */
export function useProviderAction(id: string) {
  const queries = useQueryClient()
  const [running, setRunning] = useState<string>()
  return {
    running,
    async act<T>(
      name: string,
      run: () => Promise<T>,
      told?: (answer: T) => string | undefined,
    ): Promise<T | undefined> {
      setRunning(name)
      try {
        const answer = await run()
        const message = told?.(answer)
        if (message) notifications.show({ color: 'green', message })
        return answer
      } catch (error) {
        notifications.show({ color: 'red', message: (error as Error).message })
        return undefined
      } finally {
        setRunning(undefined)
        await queries.invalidateQueries({ queryKey: keyOf(readProvider, { params: { id } }) })
        void queries.invalidateQueries({ queryKey: keyOf(listProviders) })
      }
    },
  }
}
